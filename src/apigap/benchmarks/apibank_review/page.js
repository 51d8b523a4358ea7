// What a model wrote is put on the page as text, never as HTML.
"use strict";

const STEP = 40;
const byId = (id) => document.getElementById(id);
const shown = { accepted: STEP, rejected: STEP };
let dialogues = [];

function element(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = visible(text);
  if (name) made.className = name;
  return made;
}

// Control characters and marks that turn the reading direction would hide what is there.
function visible(text) {
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (found) => "\\u" + found.charCodeAt(0).toString(16).padStart(4, "0"));
}

async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const answer = await fetch(path, options);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
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

function decide(one, choice, note) {
  const wanted = one.decision && one.decision.choice === choice ? "none" : choice;
  ask("/decide", { id: one.id, choice: wanted, note }).then((told) => {
    one.decision = wanted === "none" ? null : { choice: wanted, note };
    counts(told.counts);
    notice(`Saved: ${one.id} ${wanted}.`);
    draw();
  }).catch((error) => notice(error.message));
}

function card(one) {
  const made = element("article", undefined, one.decision ? one.decision.choice : "");
  made.append(element("p", `${one.id} · ${one.ability} · ${one.domain} · ${one.apis.join(", ")}`, "about"));
  if (!one.accepted) made.append(element("p", `${one.by}: ${one.reason} - ${one.meaning}. ${one.note}`, "why"));
  if (!one.exchanges.length) made.append(element("p", one.query, "user"));
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
  const note = element("input");
  note.placeholder = "note";
  note.setAttribute("aria-label", `note on ${one.id}`);
  note.value = one.decision ? one.decision.note : "";
  for (const choice of ["keep", "drop"]) {
    const button = element("button", choice === "keep" ? "Keep" : "Drop");
    button.type = "button";
    button.disabled = choice === "keep" && !one.canKeep;
    if (button.disabled) button.title = "The checks found a fault in it that no decision mends.";
    button.setAttribute("aria-pressed", String(Boolean(one.decision && one.decision.choice === choice)));
    button.addEventListener("click", () => decide(one, choice, note.value));
    row.append(button);
  }
  row.append(note);
  return row;
}

function fits(one) {
  return (!byId("ability").value || one.ability === byId("ability").value)
    && (!byId("reason").value || one.accepted || one.reason === byId("reason").value)
    && (!byId("open").checked || !one.decision);
}

function draw() {
  for (const group of ["accepted", "rejected"]) {
    const all = dialogues.filter((one) => one.accepted === (group === "accepted") && fits(one));
    const cards = all.slice(0, shown[group]).map(card);
    byId(group).replaceChildren(...cards);
    byId(`${group}-title`).textContent = `${group === "accepted" ? "Accepted" : "Rejected"} (${all.length})`;
    if (all.length > shown[group]) {
      const more = element("button", `${all.length - shown[group]} more`);
      more.type = "button";
      more.addEventListener("click", () => { shown[group] += STEP; draw(); });
      byId(group).append(more);
    }
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
  choices("ability", dialogues.map((one) => one.ability));
  choices("reason", dialogues.map((one) => one.reason));
  counts(told.counts);
  draw();
}).catch((error) => notice(error.message));
