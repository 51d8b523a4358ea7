"use strict";
(() => {
  const filters = ["search", "kind", "label"].map((id) => document.getElementById(id));
  const [search, kind, label] = filters;
  const rows = [...document.querySelectorAll("[data-api]")];
  const count = document.getElementById("count");

  const matches = (row) =>
    row.dataset.api.toLowerCase().includes(search.value.trim().toLowerCase()) &&
    (!kind.value || row.dataset.kind === kind.value) &&
    (!label.value || row.dataset.labels.split(" ").includes(label.value));

  const filter = () => {
    let shown = 0;
    for (const row of rows) {
      row.hidden = !matches(row);
      if (!row.hidden && row.tagName === "TR") shown += 1;
    }
    count.textContent = shown + " " + (count.dataset.noun || "API") + (shown === 1 ? "" : "s");
  };

  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
      node.hidden = false;
    }
    target.scrollIntoView({ block: "start" });
  };

  for (const control of filters) control.addEventListener("input", filter);
  window.addEventListener("hashchange", reveal);
  filter();
  reveal();
})();
