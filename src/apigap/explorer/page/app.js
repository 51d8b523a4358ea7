// The page as a whole: the part of the address before ? says which.
const PAGES = [["", "Overview", Overview], ["apis", "APIs", Apis], ["models", "Models", Models], ["compare", "Compare", Compare], ["downloads", "Downloads", Downloads]];

const App = () => {
  const [current, setCurrent] = useState(route());
  const [index] = useData("index");
  const main = useRef(null), place = current.parts.join("/");
  useEffect(() => {
    const follow = () => setCurrent(route());
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  const first = useRef(true);
  useEffect(() => {
    if (!index) return;
    document.title = `${current.parts.slice(-1)[0] || "overview"} · apigap explorer`;
    if (first.current) { first.current = false; return; }
    window.scrollTo(0, 0);
    main.current?.querySelector("h1")?.focus({preventScroll: true});
  }, [place, Boolean(index)]);
  if (!index) return html`<${Wait} />`;
  if (index.error) return html`<p role="alert">${index.error}</p>`;
  const head = current.parts[0] || "";
  const Page = {api: ApiPage, model: ModelPage}[head] || (PAGES.find(([path]) => path === head) || PAGES[0])[2];
  const here = {api: "apis", model: "models"}[head] || head;
  return html`<a class="skip" href="#main" onClick=${event => { event.preventDefault(); main.current.querySelector("h1")?.focus(); }}>to the content</a>
    <header class="top"><a class="name" href="#/">apigap explorer</a><nav aria-label="pages">${PAGES.map(([path, words]) => html`<a href=${`#/${path}`} aria-current=${path === here ? "page" : undefined}>${words}</a>`)}</nav></header>
    <main id="main" ref=${main}><${Page} key=${place} index=${index} current=${current} /></main>
    <footer>apigap ${index.version}. All texts of models and libraries are shown as text, invisible characters as escapes.</footer>`;
};

render(html`<${App} />`, document.getElementById("page"));
