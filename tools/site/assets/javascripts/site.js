// Tables that scroll by themselves can be reached, and so scrolled, with the keyboard; the theme wraps them after loading.
const reachable = () =>
  document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])").forEach((wrap) => (wrap.tabIndex = 0));
new MutationObserver(reachable).observe(document.querySelector("article"), { childList: true, subtree: true });
reachable();
