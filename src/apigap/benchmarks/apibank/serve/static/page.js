"use strict";
// Whatever comes from the data or from a person goes into the page as text, never as markup.
const at = (id) => document.getElementById(id);
const made = (tag, text = "", kind = "") => Object.assign(document.createElement(tag), { textContent: text, className: kind });
const pretty = (value) => JSON.stringify(value, null, 2);
const MOST_CALLS = 200;
let apis = {};
let current = null;

async function ask(path, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function tell(text) { at("notice").textContent = text; }

function list() {
  const wanted = at("filter").value.trim().toLowerCase();
  const fits = (api) => `${api.name} ${api.description}`.toLowerCase().includes(wanted);
  at("apis").replaceChildren(...apis[at("pool").value].filter(fits).map((api) => {
    const button = made("button", api.name);
    button.type = "button";
    button.addEventListener("click", () => choose(api));
    const item = made("li");
    item.append(button);
    return item;
  }));
  mark();
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
  at("database").hidden = !api.database;
  at("result").textContent = "Not called yet.";
  at("result").className = "";
  changes([]);
  mark();
  guarded(showRows)();
}

function field(input) {
  const box = made("div", "", "field");
  const label = made("label", input.name);
  label.append(made("span", input.type + (input.required ? "" : ", may be left out"), "type"));
  const entry = input.type === "bool" ? made("select") : made("input");
  if (input.type === "bool") entry.append(...["True", "False"].map((text) => made("option", text)));
  entry.id = label.htmlFor = `input-${input.name}`;
  entry.name = input.name;
  entry.autocomplete = "off";
  if (input.type.startsWith("list")) entry.placeholder = input.type === "list(str)" ? "['first', 'second']" : "[...]";
  box.append(label, entry);
  if (input.description) box.append(made("small", input.description));
  return box;
}

function given() {
  // An empty field is an empty text; one that may be left out is left out.
  const filled = current.inputs.filter((input) => input.required || at(`input-${input.name}`).value !== "");
  return Object.fromEntries(filled.map((input) => [input.name, at(`input-${input.name}`).value]));
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
  const text = Object.entries(values).map(([key, value]) => `${key}='${value}'`).join(", ");
  const failed = answer.refused || answer.result.exception;
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
  const answer = await ask("/call", { pool: at("pool").value, api: api.name, arguments: values });
  if (api !== current) return;
  const bad = answer.refused !== null || answer.result.exception !== null;
  at("result").textContent = answer.refused === null ? pretty(answer.result) : `The call was refused: ${answer.refused}`;
  at("result").className = bad ? "bad" : "good";
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
  apis = await ask("/apis");
  at("pool").append(...Object.keys(apis).map((name) => made("option", name)));
  at("pool").addEventListener("change", showPool);
  at("filter").addEventListener("input", list);
  at("form").addEventListener("submit", guarded(call));
  at("reset").addEventListener("click", guarded(reset));
  at("database").addEventListener("toggle", guarded(showRows));
  showPool();
}

guarded(begin)();
