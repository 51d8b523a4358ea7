// The first page: models by rungs and by libraries, and up to when they know new APIs.
const MOST_LIBRARIES = 15;

// The place of a rate among the columns, found by a key that is made once.
const rateKeys = new WeakMap();
const rateFor = (rates, subject, rung, old, library, change) => {
  if (!rateKeys.has(rates)) {
    const keys = new Map();
    for (let n = 0; n < rates.rate.length; n++) keys.set([rates.subject[n], rates.rung[n], rates.old[n], rates.library[n], rates.change[n]].join(), n);
    rateKeys.set(rates, keys);
  }
  const n = rateKeys.get(rates).get([subject, rung, old, library, change].join());
  return n === undefined ? null : {rate: rates.rate[n], low: rates.low[n], high: rates.high[n], units: rates.units[n], apis: rates.apis[n]};
};

const RungTable = ({index, rates, change}) => {
  const rungs = index.rungs.map((_, n) => n).filter(rung => index.subjects.some((_, s) => rateFor(rates, s, rung, 0, NONE, change)));
  const rows = index.subjects.map((subject, s) => html`<tr><th scope="row"><a href=${address(["model", subject.name])} title=${subject.name}>${subject.short}</a></th>
    ${rungs.map(rung => {
      const found = rateFor(rates, s, rung, 0, NONE, change), old = rateFor(rates, s, rung, 1, NONE, NONE);
      return html`<td>${found ? html`<${Rate} ...${found} chance=${index.rungs[rung][1]} words=${old ? `old APIs ${percent(old.rate)} (${span(old.low, old.high)})` : many(found.apis, "API")} />` : "–"}</td>`;
    })}</tr>`);
  const head = ["model", ...rungs.map(rung => html`${index.rungs[rung][0]}<small class="beside">${RUNG_WORDS[index.rungs[rung][0]] || ""}</small>`)];
  return html`<${Rows} caption="Models by rungs" head=${head} rows=${rows} className="rates" />`;
};

const LibraryTable = ({index, rates, rung, change, all, onAll}) => {
  const libraries = index.libraries.map(([name, versions], n) => {
    const own = index.subjects.map((_, s) => rateFor(rates, s, rung, 0, n, change));
    return {n, name, versions, own, apis: Math.max(0, ...own.map(one => one ? one.apis : 0))};
  }).filter(one => one.apis).sort((a, b) => b.apis - a.apis || a.name.localeCompare(b.name));
  const shown = all ? libraries : libraries.slice(0, MOST_LIBRARIES);
  const rows = shown.map(one => html`<tr><th scope="row"><a href=${address(["apis"], {library: one.name})}>${one.name}</a><small class="beside">${one.versions}</small></th><td>${one.apis}</td>
    ${one.own.map(found => html`<td class=${found ? `heat heat${Math.round(10 * found.rate)}` : ""}>${found ? html`<b>${percent(found.rate)}</b> <small>${span(found.low, found.high)}</small>` : "–"}</td>`)}</tr>`);
  return html`<${Rows} caption="Libraries by models" head=${["library", "APIs", ...index.subjects.map(one => html`<span title=${one.name}>${one.short}</span>`)]} rows=${rows} className="rates" />
    ${libraries.length > MOST_LIBRARIES ? html`<button onClick=${onAll}>${all ? `show the ${MOST_LIBRARIES} with most APIs` : `show all ${libraries.length} libraries`}</button>` : null}`;
};

const Horizons = ({index, only}) => {
  const ladders = index.ladders.filter(one => only === undefined || one.subject === only);
  const measures = [...new Set(ladders.flatMap(one => one.horizons.map(reading => reading.measure)))];
  const [chosen, choose] = useState("");
  const measure = measures.includes(chosen) ? chosen : measures[0];
  if (!measure) return null;
  const readings = ladders.flatMap(one => one.horizons.filter(r => r.measure === measure).map(r => ({...r, name: index.subjects[one.subject].short})));
  const drawn = readings.filter(reading => reading.quarters.some(q => q.rate !== null));
  return html`<section class="card"><h2>Up to when they know new APIs</h2>
    <div class="filters"><${Choice} label="measure" value=${measure} options=${measures.map(name => [name, name])} onChange=${choose} /></div>
    <p class="note">Each point is what a model knows of the APIs that first appeared in a quarter, with a 95 % interval. The horizon is the day on which its knowledge falls halfway.</p>
    ${drawn.length ? html`<${HorizonChart} series=${drawn} />` : null}
    <ul>${readings.map(r => html`<li><b>${r.name}</b>: ${r.day ? `${r.day} (${r.low || "before all dates"} to ${r.high || "after all dates"})` : `no horizon: ${r.reason}`}; ${many(r.apis, "API")} of ${r.libraries === 1 ? "1 library" : `${r.libraries} libraries`}</li>`)}</ul></section>`;
};

const Overview = ({index, current}) => {
  const [wanted, set] = useFilters(current, {condition: firstCondition(index), change: "", rung: firstRung(index), libraries: ""});
  const [rates] = useData(`rates-${Math.max(0, placeOf(conditionNames(index), wanted.condition))}`);
  const change = placeOf(index.changes, wanted.change);
  const answers = index.subjects.reduce((sum, one) => sum + one.answers, 0), none = index.subjects.reduce((sum, one) => sum + one.none, 0);
  return html`<h1 tabindex="-1">What models know of new APIs</h1>
    <dl class="tiles"><${Tile} title="models" count=${index.subjects.length} /><${Tile} title="libraries" count=${index.libraries.length} />
      <${Tile} title="new or changed APIs" count=${index.apis.toLocaleString("en")} /><${Tile} title="answers" count=${answers.toLocaleString("en")} beside=${none ? `${none.toLocaleString("en")} without a verdict` : ""} /></dl>
    <div class="filters" role="search" aria-label="filters"><${Choice} label="knowledge given" value=${wanted.condition} options=${conditionChoices(index)} onChange=${condition => set({condition})} />
      <${Choice} label="APIs" value=${wanted.change} options=${changeChoices} onChange=${value => set({change: value})} /></div>
    ${!rates ? html`<${Wait} />` : rates.error ? html`<p role="alert">${rates.error}</p>` : html`<section class="card"><h2>By rung</h2>
      <p class="note">Mean scores with 95 % intervals; the mark is what guessing gives. A small count has a wide interval: compare those, not the means.</p>
      <${RungTable} index=${index} rates=${rates} change=${change} /></section>
      <section class="card"><h2>By library</h2>
        <div class="filters"><${Choice} label="rung" value=${wanted.rung} options=${rungChoices(index)} onChange=${rung => set({rung})} /></div>
        <${LibraryTable} index=${index} rates=${rates} rung=${placeOf(rungNames(index), wanted.rung)} change=${change} all=${wanted.libraries === "all"} onAll=${() => set({libraries: wanted.libraries ? "" : "all"})} /></section>`}
    <${Horizons} index=${index} />
    ${index.missing.length ? html`<section class="card"><h2>What is missing</h2><ul>${index.missing.map(line => html`<li>${line}</li>`)}</ul></section>` : null}`;
};
