// What a model wrote is put on the page as text, never as HTML.
"use strict";

const STEP = 40;
const byId = (id) => document.getElementById(id);
const shown = { accepted: STEP, rejected: STEP, rejections: STEP };
let dialogues = [];
let rejections = [];
let queue = Promise.resolve();

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = visible(text);
  if (name) made.className = name;
  return made;
}

// Characters that nobody sees would hide what is there: the same ones as in models/unseen.py.
const HIDDEN = new RegExp("[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e" +
  "\\u2060-\\u206f\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e007f}\\u{e0100}-\\u{e01ef}]", "gu");

function visible(text) {
  return String(text).replace(HIDDEN, (found) => `\\u{${found.codePointAt(0).toString(16).padStart(4, "0")}}`);
}

function notice(text) { byId("notice").textContent = text; }

function counts(told) {
  const share = (group) => `${told.agreed[group]} of ${told.seen[group]} looked at`;
  byId("counts").textContent = `${told.taken} dialogues go into the training files. ` +
    `Accepted and found good: ${share("accepted")}. Rejected, and rightly: ${share("rejected")}.`;
}

function call(step) {
  const given = Object.entries(step.arguments).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ");
  return `${step.api}(${given})\n-> ${JSON.stringify(step.result)}`;
}

// One after the other: a note that is saved as its field is left must not overtake the button that was pressed then.
function save(one, choose, done) {
  queue = queue.then(async () => {
    const choice = choose();
    const told = await ask("/decide", { id: one.id, choice, note: one.typed });
    one.choice = choice === "none" ? null : choice;
    counts(told.counts);
    notice(`Saved: ${one.id} ${choice === "none" ? "undecided" : choice}.`);
    done();
  }).catch((error) => notice(error.message));
}

function decide(one, choice) { save(one, () => (one.choice === choice ? "none" : choice), () => redraw(one)); }

function keepNote(one) { save(one, () => one.choice || "none", () => {}); }

// The other cards stay as they are, and with them what is being typed there.
function redraw(one) {
  const old = byId(`dialogue-${one.id}`);
  if (old && fits(one)) old.replaceWith(card(one));
  else draw();
}

function card(one) {
  const made = element("article", undefined, one.choice || "");
  made.id = `dialogue-${one.id}`;
  made.append(element("p", `${one.id} · ${one.ability} · ${one.domain} · ${one.apis.join(", ")}`, "about"));
  if (!one.accepted) made.append(element("p", `${one.by}: ${one.reason} - ${one.meaning}. ${one.note}`, "why"));
  if (!one.exchanges.length && one.query) made.append(element("p", one.query, "user"));
  for (const exchange of one.exchanges) {
    made.append(element("p", exchange.user, "user"));
    for (const step of exchange.steps) made.append(element("pre", call(step)));
    made.append(element("p", exchange.reply, "reply"));
  }
  if (one.accepted && one.note) made.append(element("p", `Tester: ${one.note}`, "about"));
  made.append(buttons(one));
  return made;
}

function buttons(one) {
  const row = element("div", undefined, "row");
  for (const choice of ["keep", "drop"]) {
    const button = element("button", choice === "keep" ? "Keep" : "Drop");
    button.type = "button";
    button.disabled = choice === "keep" && Boolean(one.whyNot);
    if (button.disabled) button.title = visible(one.whyNot);
    button.setAttribute("aria-pressed", String(one.choice === choice));
    button.addEventListener("click", () => decide(one, choice));
    row.append(button);
  }
  const note = element("input");
  note.placeholder = "note";
  note.setAttribute("aria-label", `note on ${one.id}`);
  note.value = one.typed;
  note.addEventListener("input", () => { one.typed = note.value; });
  note.addEventListener("change", () => keepNote(one));
  row.append(note);
  return row;
}

function refused(one) {
  const made = element("article");
  made.append(element("p", `${one.by === "domains" ? "domain" : "API"}: ${one.what}`));
  made.append(element("p", `${one.reason} - ${one.meaning}. ${one.note}`, "why"));
  return made;
}

function fits(one) {
  return (!byId("ability").value || one.ability === byId("ability").value)
    && (!byId("reason").value || one.accepted || one.reason === byId("reason").value)
    && (!byId("open").checked || !one.choice);
}

function draw() {
  if (document.activeElement?.closest("article")) document.activeElement.blur();  // saves the note that is being typed
  for (const group of ["accepted", "rejected"]) {
    fill(group, dialogues.filter((one) => one.accepted === (group === "accepted") && fits(one)), card);
  }
  const reason = byId("reason").value;
  fill("rejections", rejections.filter((one) => !reason || one.reason === reason), refused);
}

function fill(group, all, make) {
  byId(group).replaceChildren(...all.slice(0, shown[group]).map(make));
  byId(`${group}-count`).textContent = ` (${all.length})`;
  if (all.length > shown[group]) {
    const more = element("button", `${all.length - shown[group]} more`);
    more.type = "button";
    more.addEventListener("click", () => { shown[group] += STEP; draw(); });
    byId(group).append(more);
  }
}

function choices(id, values) {
  for (const value of [...new Set(values)].filter(Boolean).sort()) byId(id).append(new Option(visible(value), value));
  byId(id).addEventListener("change", draw);
}

byId("open").addEventListener("change", draw);
byId("apply").addEventListener("click", () => {
  ask("/apply", {}).then((told) => {
    notice(`Written: ${Object.entries(told.rows).map(([name, rows]) => `${name} ${rows}`).join(", ")}.`);
  }).catch((error) => notice(error.message));
});
ask("/dialogues").then((told) => {
  dialogues = told.dialogues;
  rejections = told.rejections;
  choices("ability", dialogues.map((one) => one.ability));
  choices("reason", [...dialogues, ...rejections].map((one) => one.reason));
  counts(told.counts);
  draw();
}).catch((error) => notice(error.message));
