// All models, and the page of one.
const Models = ({index}) => html`<h1 tabindex="-1">Models</h1><div class="card"><${Rows} caption="models" head=${["model", "answers", "without a verdict", "results from"]}
  rows=${index.subjects.map(one => html`<tr><th scope="row"><a href=${address(["model", one.name])}>${one.name}</a></th><td>${one.answers.toLocaleString("en")}</td><td>${one.none.toLocaleString("en")}</td>
  <td>${many(one.files.length, "file")}</td></tr>`)} /></div>`;

const ModelRates = ({index, s, loaded}) => {
  const conditions = index.conditions.map((_, c) => c).filter(c => loaded[c] && !loaded[c].error);
  const rungs = index.rungs.map((_, r) => r).filter(r => conditions.some(c => rateFor(loaded[c], s, r, 0, NONE, NONE)));
  const rows = conditions.filter(c => rungs.some(r => rateFor(loaded[c], s, r, 0, NONE, NONE))).map(c => html`<tr><th scope="row">${index.conditions[c][1]}</th>
    ${rungs.map(r => {
      const found = rateFor(loaded[c], s, r, 0, NONE, NONE), old = rateFor(loaded[c], s, r, 1, NONE, NONE);
      const check = index.scores.some(([rung, condition], n) => rung === r && condition === c && index.checks[n]);
      return html`<td>${found ? html`<${Rate} ...${found} chance=${index.rungs[r][1]} words=${check ? "shows the answer: a check that it reads" : old ? `old APIs ${percent(old.rate)}` : many(found.apis, "API")} />` : "–"}</td>`;
    })}</tr>`);
  return html`<${Rows} caption="scores by knowledge and rung" head=${["knowledge given", ...rungs.map(r => index.rungs[r][0])]} rows=${rows} className="rates" />`;
};

const Needs = ({index, apis, s}) => {
  const counts = [0, 0, 0, 0];
  for (const need of apis.need[s]) counts[need]++;
  return html`<dl class="tiles">${[1, 2, 3].map(need => html`<${Tile} key=${need} title=${NEED_WORDS[need]} count=${html`<a href=${address(["apis"], {model: index.subjects[s].name, need: index.needs[need], asked: "all"})}>${counts[need].toLocaleString("en")}</a>`} beside="APIs" />`)}</dl>`;
};

const Failures = ({index, s, scores}) => {
  const counts = index.labels.map(() => 0);
  for (const label of scores.label[s]) if (label >= 0) counts[label]++;
  const whole = counts.reduce((sum, count) => sum + count, 0);
  if (!whole) return html`<p>No failure of it has a label on this rung.</p>`;
  return html`<ul class="legend">${index.labels.map(([name, code, title, words], n) => html`<li><span class=${`swatch ${name}`}>${code}</span><span><b><a href=${address(["apis"], {model: index.subjects[s].name, label: name, rung: topRung(index)})}>${title}</a></b> <span class="count">${many(counts[n], "API")}</span><br />${words}</span></li>`)}</ul>`;
};

const ModelPage = ({index, current}) => {
  const s = index.subjects.findIndex(one => one.name === current.parts[1]);
  const shard = scoreShard(index, index.rungs.length - 1, 0);
  const [apis, scores, ...loaded] = useData("apis", shard, ...index.conditions.map((_, c) => `rates-${c}`));
  if (s < 0) return html`<h1 tabindex="-1">No such model</h1><p><a href="#/models">All models</a></p>`;
  const one = index.subjects[s];
  if (!apis || (shard && !scores) || loaded.some(each => !each)) return html`<${Wait} />`;
  const gaps = index.ladders.filter(ladder => ladder.subject === s).flatMap(ladder => ladder.gaps);
  return html`<h1 tabindex="-1">${one.name}</h1>
    <${Needs} index=${index} apis=${apis} s=${s} />
    <section class="card"><h2>With and without knowledge</h2><${ModelRates} index=${index} s=${s} loaded=${loaded} /><p><a href=${address(["compare"], {kind: "knowledge", model: one.name})}>what each piece of knowledge changes, with intervals</a></p></section>
    ${shard && scores.label ? html`<section class="card"><h2>How it fails without knowledge</h2><p class="note">The commonest class of each API's failed answers, on the rung “${topRung(index)}”.</p><${Failures} index=${index} s=${s} scores=${scores} /></section>` : null}
    ${gaps.length ? html`<section class="card"><h2>New APIs against old ones</h2><${Rows} caption="gaps" head=${["measure", "new APIs", "old APIs", "gap", "95 % interval", "pairs"]}
      rows=${gaps.map(gap => html`<tr><th scope="row">${gap.measure}</th><td>${percent(gap.new)}</td><td>${percent(gap.control)}</td><td>${gap.gap === null ? gap.reason : points(gap.gap)}</td><td>${gap.low === null ? "–" : `${points(gap.low)} to ${points(gap.high)}`}</td><td>${gap.pairs}</td></tr>`)} /></section>` : null}
    <${Horizons} index=${index} only=${s} />
    <section class="card"><h2>What was asked</h2><dl class="facts"><div><dt>model</dt><dd>${one.model}</dd></div><div><dt>answers</dt><dd>${one.answers.toLocaleString("en")}, ${one.none.toLocaleString("en")} of them without a verdict</dd></div>
      <div><dt>evaluator</dt><dd><code>${one.evaluators.join(", ")}</code></dd></div></dl>
      <details><summary>how it was run</summary><dl class="facts">${one.facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></details>
      <details><summary>${many(one.files.length, "file")} of results</summary><ul>${one.files.map(file => html`<li><code>${file}</code></li>`)}</ul></details></section>`;
};
