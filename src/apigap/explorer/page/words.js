// Figures in words.
const percent = value => value === null || value === undefined || value < 0 ? "–" : `${Math.round(100 * value)} %`;
const span = (low, high) => `${Math.round(100 * low)} to ${Math.round(100 * high)} %`;
const points = value => Math.abs(value) < 0.0005 ? "0" : `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(1).replace(/\.0$/, "")}`;
const pValue = value => value < 0.001 ? "< 0.001" : value.toFixed(3);
const many = (count, name) => `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`;
const bytes = count => count < 1e6 ? `${Math.max(1, Math.round(count / 1e3))} kB` : `${(count / 1e6).toFixed(1)} MB`;
const NEED_WORDS = ["not asked without help", "known without help", "cured", "open: nothing that was tried cures it"];
const CHANGE_WORDS = {added: "new", modified: "changed", moved: "moved"};
const RUNG_WORDS = {
  "exists: told apart": "tells its name from an invented one", "signature: choice": "picks its parameters",
  "signature: F1 of names": "writes its parameters", "effect: choice": "picks what it gives", "effect: value": "writes what it gives",
  "call: passes": "calls it when told its name", "task: passes": "solves a task that does not name it",
};
const since = told => told.length ? `${told[2] ? "" : "not before "}${told[0]}${told[1] ? `, ${told[1]}` : ""}` : "";
