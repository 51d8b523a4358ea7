// A table by pages, the most important first.
const PAGE = 25;

const Pages = ({count, page, onPage}) => {
  const last = Math.max(0, Math.ceil(count / PAGE) - 1);
  if (!last) return null;
  return html`<nav class="pages" aria-label="pages of the table">
    <button disabled=${page === 0} onClick=${() => onPage(page - 1)}>earlier</button>
    <span>${(page * PAGE + 1).toLocaleString("en")} to ${Math.min(count, (page + 1) * PAGE).toLocaleString("en")} of ${count.toLocaleString("en")}</span>
    <button disabled=${page >= last} onClick=${() => onPage(page + 1)}>later</button></nav>`;
};

const Rows = ({caption, head, rows, className}) => html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}><table class=${className || ""}>
  <caption class="unseen">${caption}</caption>
  <thead><tr>${head.map(title => html`<th scope="col">${title}</th>`)}</tr></thead>
  <tbody>${rows}</tbody></table></div>`;
