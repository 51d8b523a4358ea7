// Data files, and the address: what a page shows is all in the part after #.
const {h, render, Fragment} = preact;
const {useState, useEffect, useMemo, useRef} = hooks;
const html = htm.bind(h);
const NONE = -1;

const arrived = new Map();
const waiting = new Map();

// A data file calls this with its name and its content as JSON.
window.apigapData = (name, text) => {
  arrived.set(name, JSON.parse(text));
  for (const tell of waiting.get(name) || []) tell();
  waiting.delete(name);
};

const request = (name, tell) => {
  if (waiting.has(name)) return void waiting.get(name).push(tell);
  waiting.set(name, [tell]);
  const script = document.createElement("script");
  script.src = `data/${name}.js`;
  script.onerror = () => { arrived.set(name, {error: `data/${name}.js is missing; write the pages again`}); (waiting.get(name) || []).forEach(each => each()); waiting.delete(name); };
  document.head.append(script);
};

for (const name of ["index", "apis"]) request(name, () => {}); // every page needs them

// The content of data files, in order; undefined for one that is still on its way.
const useData = (...names) => {
  const [, redraw] = useState(0);
  const found = names.map(name => arrived.get(name));
  useEffect(() => {
    let there = true;
    const tell = () => there && redraw(n => n + 1);
    names.forEach((name, n) => {
      if (!name || found[n]) return;
      if (arrived.has(name)) tell(); else request(name, tell);
    });
    return () => { there = false; };
  }, [names.join(" ")]);
  return found;
};

const route = () => {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(part => { try { return decodeURIComponent(part); } catch { return part; } });
  return {parts, query: new URLSearchParams(query || "")};
};

const address = (parts, query = {}) => {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined && value !== null && value !== "") words.set(key, value);
  const text = words.toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
};

// Filters of a page: read from the address, written back to it without a new entry in the history.
const useFilters = (current, defaults) => {
  const values = {...defaults};
  for (const key of Object.keys(defaults)) if (current.query.has(key)) values[key] = current.query.get(key);
  const set = changes => {
    const next = {...values, ...changes};
    const told = Object.fromEntries(Object.entries(next).filter(([key, value]) => value !== defaults[key]));
    history.replaceState(null, "", address(current.parts, told));
    window.dispatchEvent(new Event("hashchange"));
  };
  return [values, set];
};
