// Differences with intervals: model against model, and knowledge against none.
const KINDS = ["models", "knowledge"];

const Compare = ({index, current}) => {
  const [wanted, set] = useFilters(current, {kind: "", rung: firstRung(index), condition: firstCondition(index), model: "", page: "0"});
  const choose = changes => set({page: "0", ...changes});
  const [rows] = useData("comparisons");
  if (!rows) return html`<h1 tabindex="-1">Comparisons</h1><${Wait} />`;
  if (rows.error) return html`<h1 tabindex="-1">Comparisons</h1><p role="alert">${rows.error}</p>`;
  const kind = wanted.kind === "" ? (rows.kind.includes(0) ? 0 : 1) : Math.max(0, placeOf(KINDS, wanted.kind));
  const model = placeOf(subjectNames(index), wanted.model), rung = placeOf(rungNames(index), wanted.rung), condition = placeOf(conditionNames(index), wanted.condition);
  const found = [];
  for (let n = 0; n < rows.kind.length; n++) {
    if (rows.kind[n] !== kind || rows.rung[n] !== rung) continue;
    if (kind === 0 && rows.condition[n] !== condition) continue;
    if (model !== NONE && rows.a[n] !== model && rows.b[n] !== model) continue;
    found.push(n);
  }
  found.sort((a, b) => Math.abs(rows.difference[b]) - Math.abs(rows.difference[a]) || a - b);
  const page = Math.min(Number(wanted.page) || 0, Math.max(0, Math.ceil(found.length / PAGE) - 1));
  const name = n => index.subjects[n].name, short = n => index.subjects[n].short;
  const shown = found.slice(page * PAGE, (page + 1) * PAGE).map(n => html`<tr key=${n}><th scope="row">${kind ? html`<a href=${address(["model", name(rows.b[n])])} title=${name(rows.b[n])}>${short(rows.b[n])}</a><small class="beside">${index.conditions[rows.condition[n]][1]} against nothing${rows.check[n] ? ": shows the answers, so no cure" : ""}</small>` : html`<a href=${address(["model", name(rows.b[n])])} title=${name(rows.b[n])}>${short(rows.b[n])}</a><small class="beside">against ${short(rows.a[n])}</small>`}</th>
    <td>${percent(rows.before[n])}</td><td>${percent(rows.after[n])}</td><td><b>${points(rows.difference[n])}</b></td><td>${points(rows.low[n])} to ${points(rows.high[n])}</td>
    <td><${Difference} value=${rows.difference[n]} low=${rows.low[n]} high=${rows.high[n]} /></td><td>${pValue(rows.p_holm[n])}</td><td>${rows.units[n].toLocaleString("en")}</td></tr>`);
  return html`<h1 tabindex="-1">Comparisons</h1>
    <div class="filters" role="search" aria-label="filters">
      <${Choice} label="what" value=${KINDS[kind]} options=${[[KINDS[0], "model against model"], [KINDS[1], "knowledge against none"]]} onChange=${value => choose({kind: value})} />
      <${Choice} label="rung" value=${wanted.rung} options=${rungChoices(index)} onChange=${rung => choose({rung})} />
      ${kind ? null : html`<${Choice} label="knowledge given" value=${wanted.condition} options=${conditionChoices(index)} onChange=${condition => choose({condition})} />`}
      <${Choice} label="model" value=${wanted.model} options=${modelChoices(index)} onChange=${value => choose({model: value})} /></div>
    <p class="note">Differences in points on what both were asked, with 95 % intervals that take tasks on one API as related; p after Holm's correction. Where an interval holds 0, chance alone could give the difference.${kind && rung >= 0 && index.rungs[rung][2] ? " On the ladder these are gains on new APIs alone; a report states a cure, which is the gain less that on old APIs." : ""}</p>
    ${found.length ? html`<div class="card"><${Rows} caption="differences" head=${[kind ? "model and knowledge" : "model", ...(kind ? ["without it", "with it"] : ["the other", "this model"]), "points", "95 % interval", html`<span class="unseen">as a picture</span>`, "p", "tasks or APIs"]} rows=${shown} className="rates" /></div>
      <${Pages} count=${found.length} page=${page} onPage=${next => set({page: String(next)})} />` : html`<p role="status">Nothing here was asked of both.</p>`}`;
};

const Downloads = ({index}) => {
  const tables = new Map();
  for (const [file, size, words] of index.downloads) {
    const name = file.split(".")[0];
    tables.set(name, {words, files: [...(tables.get(name) || {files: []}).files, [file, size]]});
  }
  return html`<h1 tabindex="-1">Downloads</h1><div class="card"><${Rows} caption="tables" head=${["table", "what is in it", "files"]} rows=${[...tables].map(([name, one]) => html`<tr><th scope="row">${name}</th><td>${one.words}</td>
    <td>${one.files.map(([file, size]) => html`<a href=${`downloads/${file}`} download>${file.split(".")[1]}</a> <small>${bytes(size)}</small> `)}</td></tr>`)} /></div>`;
};
