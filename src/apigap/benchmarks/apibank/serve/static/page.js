"use strict";
// Whatever comes from the data or from a person goes into the page as text, never as markup.
const at = (id) => document.getElementById(id);
const made = (tag, text = "", kind = "") => Object.assign(document.createElement(tag), { textContent: text, className: kind });
const pretty = (value) => JSON.stringify(value, null, 2);
const MOST_CALLS = 200;
let apis = {};
let current = null;

function tell(text) { at("notice").textContent = text; }

function list() {
  const wanted = at("filter").value.trim().toLowerCase();
  const fits = (api) => `${api.name} ${api.description} ${api.domain}`.toLowerCase().includes(wanted);
  const groups = Map.groupBy(apis[at("pool").value].filter(fits), (api) => api.domain);
  at("apis").replaceChildren(...[...groups].map(([domain, members]) => {
    const group = made("section");
    const items = made("ul");
    items.append(...members.map(listed));
    group.append(made("h3", domain), items);
    return group;
  }));
  if (!groups.size) at("apis").append(made("p", "No API has these words.", "none"));
  mark();
}

function listed(api) {
  const button = made("button", api.name);
  button.type = "button";
  button.addEventListener("click", () => choose(api));
  const item = made("li");
  item.append(button);
  return item;
}

function mark() {
  // The list stays as it is, so that the keyboard stays where it was.
  for (const button of at("apis").querySelectorAll("button")) {
    button.setAttribute("aria-current", String(button.textContent === current.name));
  }
}

function showPool() {
  choose(apis[at("pool").value][0]);
  list();
}

function choose(api) {
  current = api;
  at("name").textContent = api.name;
  at("description").textContent = api.description;
  at("inputs").replaceChildren(...api.inputs.map(field));
  fill();
  at("database").hidden = !api.database;
  at("result").textContent = "Not called yet.";
  at("result").className = "";
  remarks([]);
  changes([]);
  mark();
  guarded(showRows)();
}

function field(input) {
  const box = made("div", "", "field");
  const label = made("label", input.name);
  label.append(made("span", input.type + (input.required ? "" : ", may be left out"), "type"));
  const entry = input.type === "bool" ? made("select") : made("input");
  if (input.type === "bool") entry.append(...["true", "false"].map((text) => made("option", text)));
  entry.id = label.htmlFor = `input-${input.name}`;
  entry.name = input.name;
  entry.autocomplete = "off";
  if (input.type.startsWith("list")) entry.placeholder = input.type === "list(str)" ? '["first", "second"]' : "[...]";
  box.append(label, entry);
  if (input.description) box.append(made("small", input.description));
  return box;
}

function fill() {
  for (const input of current.inputs) {
    const value = current.example[input.name];
    at(`input-${input.name}`).value = value === undefined ? "" : input.type === "str" ? value : JSON.stringify(value);
  }
}

// The value of a field in its type; what cannot be read as such stays text, which the server refuses by name.
function typed(input, text) {
  if (input.type === "str") return text;
  try { return JSON.parse(text); } catch { return text; }
}

function given() {
  // An empty field is an empty text; one that may be left out is left out.
  const filled = current.inputs.filter((input) => input.required || at(`input-${input.name}`).value !== "");
  return Object.fromEntries(filled.map((input) => [input.name, typed(input, at(`input-${input.name}`).value)]));
}

function remarks(lines) { at("remarks").replaceChildren(...lines.map((line) => made("p", line))); }

// The outcome of a call, be it an error or not.
async function outcome(body) {
  try {
    return await ask("/call", body);
  } catch (error) {
    if (!error.told?.kind) throw error;
    return error.told;
  }
}

function changes(rows) {
  if (!rows.length) return at("changes").replaceChildren(made("p", "Nothing.", "none"));
  const table = made("table");
  const head = made("tr");
  head.append(...["Database", "Row", "Before", "After"].map((text) => made("th", text)));
  table.append(head, ...rows.map((row) => {
    const line = made("tr");
    const side = (value, kind) => (value === null ? made("td", "-") : made("td", pretty(value), kind));
    line.append(made("td", row.database), made("td", row.row), side(row.before, "gone"), side(row.after, "new"));
    return line;
  }));
  return at("changes").replaceChildren(table);
}

function remember(name, values, answer) {
  const text = Object.entries(values).map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ");
  const failed = answer.error || answer.result.exception;
  const item = made("li", `[${name}(${text})]`);
  item.append(made("span", failed ? failed : "done", failed ? "outcome bad" : "outcome"));
  at("calls").prepend(item);
  while (at("calls").children.length > MOST_CALLS) at("calls").lastChild.remove();
}

async function showRows() {
  if (!current.database || !at("database").open) return;
  const found = await ask(`/rows?pool=${encodeURIComponent(at("pool").value)}&api=${encodeURIComponent(current.name)}`);
  const shown = found.rows === null ? 0 : Object.keys(found.rows).length;
  const note = shown < found.count ? `the first ${shown} of ${found.count} rows of ` : "";
  at("rows").textContent = `${note}${current.database}\n${pretty(found.rows)}`;
}

async function call(event) {
  event.preventDefault();
  const [api, values] = [current, given()];
  const answer = await outcome({ pool: at("pool").value, api: api.name, arguments: values });
  if (api !== current) return;
  const bad = Boolean(answer.error) || answer.result.exception !== null;
  at("result").textContent = answer.result === null ? "No result: the call never reached the API." : pretty(answer.result);
  at("result").className = bad ? "bad" : "good";
  remarks(answer.error ? [`${answer.kind}: ${answer.error}`, answer.next] : answer.notes);
  for (const input of current.inputs) {
    at(`input-${input.name}`).setAttribute("aria-invalid", String(input.name === answer.parameter));
  }
  changes(answer.changes);
  remember(api.name, values, answer);
  tell("");
  await showRows();
}

async function reset() {
  await ask("/reset", {});
  at("calls").replaceChildren();
  choose(current);
  tell("All databases are as they were.");
}

const guarded = (work) => (...given) => Promise.resolve(work(...given)).catch((error) => tell(`That did not work: ${error.message}`));

async function begin() {
  const told = await ask("/apis");
  apis = told.pools;
  at("mode").textContent = `${told.mode} mode`;
  at("pool").append(...Object.keys(apis).map((name) => made("option", name)));
  at("pool").addEventListener("change", showPool);
  at("filter").addEventListener("input", list);
  at("example").addEventListener("click", fill);
  at("form").addEventListener("submit", guarded(call));
  at("reset").addEventListener("click", guarded(reset));
  at("database").addEventListener("toggle", guarded(showRows));
  showPool();
}

guarded(begin)();
