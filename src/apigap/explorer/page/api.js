// The page of one API: what changed, since when, how models fail, what cures it, and the answers side by side.
const detailShard = (index, n) => {
  let low = 0, high = index.details.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (index.details[middle] <= n) low = middle; else high = middle;
  }
  return [`apis-${low}`, n - index.details[low]];
};

const ApiFacts = ({facts, told}) => {
  const rows = [["releases", facts.versions], ["since", since(told)], ["kind", facts.kind]].filter(([, value]) => value);
  const signatures = [["before", facts.before], ["now", facts.signature]].filter(([, value]) => value);
  return html`${rows.length ? html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>` : null}
    <div class=${signatures.length > 1 ? "pair" : ""}>${signatures.map(([name, value]) => html`<figure class="panel"><figcaption>${name}</figcaption><pre class="wrapped" tabindex="0" role="region" aria-label=${`signature ${name}`}><code>${value}</code></pre></figure>`)}</div>
    ${(facts.changes || []).length ? html`<ul>${facts.changes.map(change => html`<li>${change}</li>`)}</ul>` : null}
    ${facts.docstring ? html`<details><summary>its documentation</summary><p class="description">${facts.docstring}</p></details>` : null}
    ${(facts.notes || []).length ? html`<details><summary>what the library's notes say</summary><ul>${facts.notes.map(note => html`<li>${note}</li>`)}</ul></details>` : null}`;
};

// Right answers by model and condition, of the questions on the new API.
const ApiMatrix = ({index, detail, apis, n}) => {
  const cells = new Map(), conditions = new Set(), subjects = new Set();
  for (const one of detail.asked) {
    if (one.side !== "new") continue;
    for (const [subject, condition, , verdict] of one.answers) {
      const key = `${subject} ${condition}`, cell = cells.get(key) || {good: 0, all: 0, labels: new Map()};
      cell.all++; cell.good += GOOD.has(verdict);
      if (!GOOD.has(verdict)) cell.labels.set(verdict, (cell.labels.get(verdict) || 0) + 1);
      cells.set(key, cell); conditions.add(condition); subjects.add(subject);
    }
  }
  const columns = [...conditions].sort((a, b) => a - b);
  const rows = [...subjects].sort((a, b) => a - b).map(subject => html`<tr><th scope="row"><a href=${address(["model", index.subjects[subject].name])} title=${index.subjects[subject].name}>${index.subjects[subject].short}</a></th>
    ${columns.map(condition => {
      const cell = cells.get(`${subject} ${condition}`);
      const often = cell && [...cell.labels].sort((a, b) => b[1] - a[1])[0];
      return html`<td>${cell ? html`<b>${cell.good} of ${cell.all}</b>${often ? html` <${Verdict} index=${index} verdict=${often[0]} />` : null}` : "–"}</td>`;
    })}<td class="cure">${cureWords(index, apis, [subject], n)}</td></tr>`);
  return html`<${Rows} caption="right answers by model and knowledge" head=${["model", ...columns.map(c => c < 0 ? "?" : index.conditions[c][1]), "what cures it"]} rows=${rows} className="grid" />`;
};

const ApiPage = ({index, current}) => {
  const [wanted, set] = useFilters(current, {condition: firstCondition(index), rung: "", all: ""});
  const [apis] = useData("apis"), [, of, name] = current.parts;
  const n = useMemo(() => apis && !apis.error ? apis.name.findIndex((each, place) => each === name && index.libraries[apis.library[place]][0] === of) : NONE, [apis, of, name]);
  const [shard, place] = n >= 0 ? detailShard(index, n) : ["", 0];
  const [found] = useData(shard);
  if (apis && n < 0) return html`<h1 tabindex="-1">No such API</h1><p><a href="#/apis">All APIs</a></p>`;
  if (!apis || !found) return html`<${Wait} />`;
  if (found.error) return html`<p role="alert">${found.error}</p>`;
  const detail = found.apis[place], library = index.libraries[apis.library[n]];
  const conditions = new Set(detail.asked.flatMap(one => one.answers.map(answer => answer[1])));
  const asks = placeOf(conditionNames(index), wanted.condition), condition = conditions.has(asks) ? asks : Math.min(...conditions);
  const rungs = [...new Set(detail.asked.map(one => one.rung))].sort((a, b) => b - a);
  const asked = detail.asked.filter(one => (wanted.rung === "" || one.rung === placeOf(rungNames(index), wanted.rung)) && (wanted.all || one.side === "new")).sort((a, b) => b.rung - a.rung);
  const others = detail.asked.some(one => one.side !== "new");
  return html`<h1 tabindex="-1"><code><${Name} text=${apis.name[n]} /></code></h1>
    <p class="second"><a href=${address(["apis"], {library: library[0]})}>${library[0]}</a> ${library[1]}${apis.change[n] > 0 ? html` <span class="pill">${CHANGE_WORDS[index.changes[apis.change[n]]]}</span>` : null}
      ${apis.weight[n] >= 0 ? html` <span class="pill">importance ${apis.weight[n]} of 100</span>` : null}</p>
    <section class="card"><h2>What changed</h2>${detail.facts.versions || apis.since[n].length ? html`<${ApiFacts} facts=${detail.facts} told=${apis.since[n]} />` : html`<p>${apis.change[n] > 0 ? `It is ${CHANGE_WORDS[index.changes[apis.change[n]]]} (${library[1]}). ` : ""}The run keeps no more on it; the data folder of an audit has its signature before and after.</p>`}</section>
    <section class="card"><h2>How models fail, and what cures it</h2><${ApiMatrix} index=${index} detail=${detail} apis=${apis} n=${n} /></section>
    <h2>Answers side by side</h2>
    <div class="filters" role="search" aria-label="filters"><${Choice} label="knowledge given" value=${index.conditions[condition] ? index.conditions[condition][0] : ""} options=${conditionChoices(index, conditions)} onChange=${value => set({condition: value})} />
      ${rungs.length > 1 ? html`<${Choice} label="rung" value=${wanted.rung} options=${[["", "all"], ...rungs.filter(rung => rung >= 0).map(rung => [index.rungs[rung][0], index.rungs[rung][0]])]} onChange=${rung => set({rung})} />` : null}
      ${others ? html`<label class="choice"><span>old APIs and invented names too</span><input type="checkbox" checked=${Boolean(wanted.all)} onChange=${event => set({all: event.target.checked ? "1" : ""})} /></label>` : null}</div>
    ${asked.map((one, place) => html`<${Asked} key=${one.id} index=${index} one=${one} condition=${condition} open=${place < 3} />`)}`;
};
