// Small parts that several pages share.
const Choice = ({label, value, options, onChange}) => html`<label class="choice"><span>${label}</span>
  <select value=${value} onChange=${event => onChange(event.target.value)}>
    ${options.map(([key, words]) => html`<option value=${key} selected=${key === value}>${words}</option>`)}
  </select></label>`;

const Tile = ({title, count, beside}) => html`<div class="tile"><dt>${title}</dt><dd>${count}${beside ? html` <small>${beside}</small>` : null}</dd></div>`;

const Wait = () => html`<p class="waiting" role="status">reading data …</p>`;

// A rate with its interval, as a bar between 0 and 1 and in words.
const Rate = ({rate, low, high, chance, words}) => html`<span class="rate"><b>${percent(rate)}</b> <small>${span(low, high)}</small>
  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" x="0" y="3" width="100" height="2" />
    <rect class="span" x=${100 * low} y="2" width=${Math.max(1, 100 * (high - low))} height="4" />
    <rect class="dot" x=${Math.min(98, Math.max(0, 100 * rate - 1))} y="0" width="2" height="8" />
    ${chance ? html`<rect class="chance" x=${100 * chance} y="0" width="1" height="8" />` : null}</svg>
  ${words ? html`<small class="beside">${words}</small>` : null}</span>`;

// Filters have names in the address, so that a link stays right when the pages are written again.
const placeOf = (names, name) => name === "" ? NONE : names.indexOf(name);
const rungNames = index => index.rungs.map(([name]) => name);
const conditionNames = index => index.conditions.map(([name]) => name);
const libraryNames = index => index.libraries.map(([name]) => name);
const subjectNames = index => index.subjects.map(one => one.name);
const conditionChoices = (index, only) => index.conditions.filter((_, n) => !only || only.has(n));
const rungChoices = index => index.rungs.map(([name]) => [name, name]);
const modelChoices = index => [["", "all"], ...index.subjects.map(({name}) => [name, name])];
const changeChoices = [["", "new and changed"], ["added", "new"], ["modified", "changed"]];

// The rung on which most APIs were asked, the highest rung of all, and what is given first, which is nothing.
const firstRung = index => index.rungs[index.first][0];
const topRung = index => index.rungs[index.rungs.length - 1][0];
const firstCondition = index => index.conditions[0][0];

// A qualified name, which is broken after its dots and underscores where it must be.
const Name = ({text}) => text.split(/(?<=[._])/).map((part, n) => html`${n ? html`<wbr />` : null}${part}`);

const Code = ({text, label}) => html`<pre tabindex="0" role="region" aria-label=${label}><code>${text}</code></pre>`;

const save = (name, type, text) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const asCsv = rows => rows.map(row => row.map(cell => {
  const text = String(cell ?? "");
  const safe = typeof cell === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}).join(",")).join("\r\n") + "\r\n";
