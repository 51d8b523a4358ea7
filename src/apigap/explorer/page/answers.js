// One question or task with the answers of all models side by side.
const GOOD = new Set(["pass", "right"]);
const NO_VERDICT = {infra: "no verdict: the machine stood in the way", cut: "no verdict: the answer was cut", suspect: "suspect: passes, with evidence against it", unread: "cannot be read"};

const Verdict = ({index, verdict}) => {
  const label = index.labels.find(([name]) => name === verdict);
  const words = label ? label[2] : NO_VERDICT[verdict] || verdict;
  return html`<span class=${`tag ${GOOD.has(verdict) ? "pass" : label ? verdict : NO_VERDICT[verdict] ? "infra" : "wrong"}`}>${words}</span>`;
};

const AnswerCard = ({index, answer, several}) => {
  const [subject, , sample, verdict, text, code, reason, differences] = answer;
  const name = index.subjects[subject].name;
  return html`<article class="answer"><h4><a href=${address(["model", name])} title=${name}>${index.subjects[subject].short}</a>${several ? ` #${sample + 1}` : ""}</h4>
    <p><${Verdict} index=${index} verdict=${verdict} /></p>${reason ? html`<p class="reason">${reason}</p>` : null}
    <${Code} text=${text || "(nothing)"} label=${`answer of ${name}`} />
    ${code ? html`<details><summary>what was judged of it</summary><${Code} text=${code} label=${`judged code of ${name}`} /></details>` : null}
    ${differences.length ? html`<details><summary>${many(differences.length, "difference")} from the reference</summary><${Rows} caption="differences" head=${["what", "wanted", "got"]} className="compare"
      rows=${differences.map(row => html`<tr>${row.map(cell => html`<td><code>${cell}</code></td>`)}</tr>`)} /></details>` : null}</article>`;
};

const Asked = ({index, one, condition, open}) => {
  const answers = one.answers.filter(answer => answer[1] === condition).sort((a, b) => a[0] - b[0] || a[2] - b[2]);
  if (!answers.length) return null;
  const good = answers.filter(answer => GOOD.has(answer[3])).length;
  const several = new Set(answers.map(answer => answer[2])).size > 1;
  const side = {new: "", control: `old API ${one.about}, for comparison`, twin: "with names that nobody can know", "control twin": `old API ${one.about}, with names that nobody can know`}[one.side];
  return html`<details class="card asked" open=${open}><summary><b>${one.rung < 0 ? "not judged" : index.rungs[one.rung][0]}</b> ${side ? html`<small>${side}</small> ` : ""}<span class="tally">${good} of ${many(answers.length, "answer")} right</span></summary>
    ${one.text ? html`<p class="description">${one.text}</p>` : null}
    ${one.context ? html`<figure class="panel"><figcaption>code that is given</figcaption><${Code} text=${one.context} label="code that is given" /></figure>` : null}
    ${one.options.length ? html`<ol class="options" type="A">${one.options.map(option => html`<li><code>${option}</code>${option === one.wanted ? " ← right" : ""}</li>`)}</ol>` : null}
    ${one.wanted && !one.options.length ? html`<figure class="panel good"><figcaption>a right answer</figcaption><${Code} text=${one.wanted} label="a right answer" /></figure>` : null}
    <div class="beside-each">${answers.map((answer, n) => html`<${AnswerCard} key=${n} index=${index} answer=${answer} several=${several} />`)}</div>
    <p class="note">task ${one.id}</p></details>`;
};
