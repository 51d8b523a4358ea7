// All APIs in a table that is filtered and sorted; ten thousand of them by ten models take some milliseconds.
const scoreShard = (index, rung, condition) => {
  const n = index.scores.findIndex(([r, c]) => r === rung && c === condition);
  return n < 0 ? "" : `scores-${n}`;
};

const ScoreChip = ({index, value, label, href}) => {
  if (value < 0) return html`<span class="chip missing" title="not asked">·</span>`;
  if (value === 1000) return html`<a class="chip pass" href=${href} title="solved">✓</a>`;
  if (value > 0) return html`<a class="chip part" href=${href} title="in part">${Math.round(value / 10)} %</a>`;
  if (label < 0) return html`<a class="chip wrong" href=${href} title="not solved">✗</a>`;
  const [name, code, words] = index.labels[label];
  return html`<a class=${`chip ${name}`} href=${href} title=${words}>${code}</a>`;
};

const chosenApis = (index, apis, scores, wanted, models) => {
  const text = wanted.q.trim().toLowerCase(), library = placeOf(libraryNames(index), wanted.library);
  const change = placeOf(index.changes, wanted.change), label = placeOf(index.labels.map(([name]) => name), wanted.label);
  const need = placeOf(index.needs, wanted.need), cure = placeOf(conditionNames(index), wanted.cure);
  const found = [], mean = new Float32Array(apis.name.length);
  for (let n = 0; n < apis.name.length; n++) {
    if (library !== NONE && apis.library[n] !== library) continue;
    if (change !== NONE && apis.change[n] !== change) continue;
    if (text && !apis.name[n].toLowerCase().includes(text)) continue;
    if (label !== NONE && !models.some(s => scores.label[s][n] === label)) continue;
    if (need !== NONE && !models.some(s => apis.need[s][n] === need)) continue;
    if (cure !== NONE && !models.some(s => apis.cure[s][n] === cure)) continue;
    let sum = 0, asked = 0;
    for (const s of models) if (scores.value[s][n] >= 0) { sum += scores.value[s][n]; asked++; }
    if (!asked && wanted.asked !== "all") continue;
    mean[n] = asked ? sum / asked : -1;
    found.push(n);
  }
  if (wanted.sort === "worst") found.sort((a, b) => mean[a] - mean[b] || a - b);
  if (wanted.sort === "best") found.sort((a, b) => mean[b] - mean[a] || a - b);
  if (wanted.sort === "name") found.sort((a, b) => apis.name[a] < apis.name[b] ? -1 : 1);
  if (wanted.sort === "new") found.sort((a, b) => (apis.since[b][1] || "").localeCompare(apis.since[a][1] || "") || a - b);
  return found;
};

const API_FILTERS = {q: "", library: "", change: "", model: "", rung: "", condition: "", label: "", need: "", cure: "", asked: "", sort: "", page: "0"};

const Apis = ({index, current}) => {
  const [wanted, set] = useFilters(current, {...API_FILTERS, rung: firstRung(index), condition: firstCondition(index)});
  const choose = changes => set({page: "0", ...changes});
  const rung = placeOf(rungNames(index), wanted.rung), condition = placeOf(conditionNames(index), wanted.condition), shard = scoreShard(index, rung, condition);
  const [apis, scores] = useData("apis", shard);
  const model = placeOf(subjectNames(index), wanted.model), models = model < 0 ? index.subjects.map((_, n) => n) : [model];
  const found = useMemo(() => apis && scores && !scores.error ? chosenApis(index, apis, scores, wanted, models) : [], [apis, scores, location.hash]);
  const conditions = new Set(index.scores.filter(([r]) => r === rung).map(([, c]) => c));
  const page = Math.min(Number(wanted.page) || 0, Math.max(0, Math.ceil(found.length / PAGE) - 1));
  const rows = found.slice(page * PAGE, (page + 1) * PAGE).map(n => {
    const href = address(["api", index.libraries[apis.library[n]][0], apis.name[n]], {condition: condition ? wanted.condition : ""});
    return html`<tr><th scope="row"><a href=${href}><${Name} text=${apis.name[n]} /></a><small class="beside">${index.libraries[apis.library[n]][0]}${apis.since[n].length ? `, since ${since(apis.since[n])}` : ""}</small></th>
      <td>${CHANGE_WORDS[index.changes[apis.change[n]]] || "–"}</td>
      ${models.map(s => html`<td><${ScoreChip} index=${index} value=${scores.value[s][n]} label=${scores.label[s][n]} href=${href} /></td>`)}
      <td class="cure">${cureWords(index, apis, models, n)}</td></tr>`;
  });
  const head = ["API", "change", ...models.map(s => html`<a href=${address(["model", index.subjects[s].name])} title=${index.subjects[s].name}>${index.subjects[s].short}</a>`), "what cures it"];
  const table = () => [["library", "api", "change", "since", ...models.map(s => index.subjects[s].name), "what cures it"],
    ...found.map(n => [index.libraries[apis.library[n]][0], apis.name[n], index.changes[apis.change[n]] || "", since(apis.since[n]), ...models.map(s => scores.value[s][n] < 0 ? "" : scores.value[s][n] / 1000), cureWords(index, apis, models, n)])];
  return html`<h1 tabindex="-1">APIs</h1>
    <div class="filters" role="search" aria-label="filters">
      <label class="choice grow"><span>name</span><input type="search" value=${wanted.q} onInput=${event => choose({q: event.target.value})} /></label>
      <${Choice} label="library" value=${wanted.library} options=${[["", "all"], ...index.libraries.map(([name]) => [name, name])]} onChange=${library => choose({library})} />
      <${Choice} label="change" value=${wanted.change} options=${changeChoices} onChange=${change => choose({change})} />
      <${Choice} label="model" value=${wanted.model} options=${modelChoices(index)} onChange=${model => choose({model})} />
      <${Choice} label="rung" value=${wanted.rung} options=${rungChoices(index)} onChange=${rung => choose({rung, condition: firstCondition(index)})} />
      <${Choice} label="knowledge given" value=${wanted.condition} options=${conditionChoices(index, conditions)} onChange=${condition => choose({condition})} />
      <${Choice} label="how it fails" value=${wanted.label} options=${[["", "any"], ...index.labels.map(([name, code, words]) => [name, `${code}: ${words}`])]} onChange=${label => choose({label})} />
      <${Choice} label="help" value=${wanted.need} options=${[["", "any"], ...NEED_WORDS.map((words, n) => [index.needs[n], words])]} onChange=${need => choose({need})} />
      <${Choice} label="cured by" value=${wanted.cure} options=${[["", "any"], ...conditionChoices(index).slice(1)]} onChange=${cure => choose({cure})} />
      <${Choice} label="asked" value=${wanted.asked} options=${[["", "on this rung"], ["all", "on any rung"]]} onChange=${asked => choose({asked})} />
      <${Choice} label="order" value=${wanted.sort} options=${[["", "most important first"], ["worst", "least known first"], ["best", "best known first"], ["new", "newest first"], ["name", "by name"]]} onChange=${sort => choose({sort})} />
    </div>
    <p class="counted"><span role="status">${found.length.toLocaleString("en")} of ${many(index.apis, "API")}</span>
      <button onClick=${() => save("apis.csv", "text/csv", asCsv(table()))}>these rows as CSV</button>
      <button onClick=${() => save("apis.json", "application/json", JSON.stringify(table()))}>as JSON</button></p>
    ${!apis || (shard && !scores) ? html`<${Wait} />` : !shard ? html`<p role="status">This rung was not asked with this knowledge.</p>` : scores.error ? html`<p role="alert">${scores.error}</p>` :
      html`<div class="card"><${Rows} caption="APIs by models" head=${head} rows=${rows} className="grid" /></div><${Pages} count=${found.length} page=${page} onPage=${next => set({page: String(next)})} />
        <p class="note legend-line">${index.labels.map(([name, code, words]) => html`<span><span class=${`chip ${name}`}>${code}</span> ${words}</span> `)}</p>`}`;
};

// What cures an API, over the chosen models: each cure with the number of models where several need one.
const cureWords = (index, apis, models, n) => {
  const counts = new Map();
  for (const s of models) {
    const need = apis.need[s][n];
    if (need === 0) continue;
    const words = need === 2 ? index.conditions[apis.cure[s][n]][1] : need === 1 ? "needs no help" : "no cure found";
    counts.set(words, (counts.get(words) || 0) + 1);
  }
  return [...counts].sort((a, b) => (a[0] === "no cure found") - (b[0] === "no cure found") || b[1] - a[1]).map(([words, count]) => counts.size > 1 ? `${words} (${count})` : words).join(", ") || "–";
};
