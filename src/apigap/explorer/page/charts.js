// Charts as SVG: sharp in print, in the colours of the page, with all figures in a table beside them.
const LINES = 8; // colours; beyond them lines are told by their dashes
const lineClass = n => `line line${n % LINES}${n >= LINES ? " dashed" : ""}`;

// A difference with its interval between -1 and 1.
const Difference = ({value, low, high}) => html`<svg class="difference" viewBox="-100 0 200 10" preserveAspectRatio="none" aria-hidden="true">
  <rect class="track" x="-100" y="4.5" width="200" height="1" /><rect class="zero" x="-0.5" y="0" width="1" height="10" />
  <rect class=${low > 0 ? "span good" : high < 0 ? "span bad" : "span"} x=${100 * low} y="3" width=${Math.max(1, 100 * (high - low))} height="4" />
  <rect class="dot" x=${100 * value - 1} y="1" width="2" height="8" /></svg>`;

// What each model knows by quarter of first appearance: a line with intervals for each.
const HorizonChart = ({series}) => {
  const quarters = [...new Set(series.flatMap(one => one.quarters.map(q => q.quarter)))].sort();
  const wide = Math.max(480, 90 * quarters.length + 80), tall = 280;
  const x = (quarter, n) => 70 + (wide - 110) * (quarters.length < 2 ? .5 : quarters.indexOf(quarter) / (quarters.length - 1)) + 3 * (n - (series.length - 1) / 2);
  const y = value => 20 + (tall - 60) * (1 - value);
  const words = series.map(one => `${one.name}: ${one.quarters.map(q => `${q.quarter} ${percent(q.rate)}`).join(", ")}`).join("; ");
  return html`<div class="scroll" tabindex="0" role="region" aria-label="chart"><svg class="horizon" viewBox="0 0 ${wide} ${tall}" width=${wide} role="img" aria-label=${words}>
    ${[0, .25, .5, .75, 1].map(value => html`<line class="rule" x1="44" x2=${wide - 10} y1=${y(value)} y2=${y(value)} /><text x="38" y=${y(value) + 4} text-anchor="end">${percent(value)}</text>`)}
    ${quarters.map(quarter => html`<text x=${x(quarter, (series.length - 1) / 2)} y=${tall - 18} text-anchor="middle">${quarter}</text>`)}
    ${series.map((one, n) => {
      const known = one.quarters.filter(q => q.rate !== null);
      return html`<g class=${lineClass(n)}><polyline points=${known.map(q => `${x(q.quarter, n)},${y(q.rate)}`).join(" ")} />
        ${known.map(q => html`<line x1=${x(q.quarter, n)} x2=${x(q.quarter, n)} y1=${y(q.low)} y2=${y(q.high)} /><circle cx=${x(q.quarter, n)} cy=${y(q.rate)} r="3.5" />`)}</g>`;
    })}</svg></div>
    <ul class="keys">${series.map((one, n) => html`<li><svg width="26" height="10" aria-hidden="true"><g class=${lineClass(n)}><line x1="0" x2="26" y1="5" y2="5" /><circle cx="13" cy="5" r="3.5" /></g></svg> ${one.name}</li>`)}</ul>`;
};
