// Tables that scroll by themselves can be reached, and so scrolled, with the keyboard; the theme wraps them after loading.
const reachable = () =>
  document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])").forEach((wrap) => (wrap.tabIndex = 0));
new MutationObserver(reachable).observe(document.querySelector("article"), { childList: true, subtree: true });
reachable();

// Browsers end a line after any hyphen: an option in a line of text stays whole, and what is copied is the text as it was.
const OPTION = /(?<![\w-])(--?[A-Za-z][\w-]*)/;
for (const code of document.querySelectorAll("article :not(pre) > code")) {
  const texts = [...code.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && OPTION.test(node.data));
  for (const text of texts) {
    const parts = text.data.split(OPTION).map((part, place) => {
      if (place % 2 === 0) return part;
      const whole = document.createElement("span");
      whole.className = "option";
      whole.textContent = part;
      return whole;
    });
    text.replaceWith(...parts);
  }
}
