"use strict";
// The asking of a page on this machine, with the token from its address; both pages have it from here.
const TOKEN = "token";

function keptToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get(TOKEN);
  if (given) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(TOKEN) ?? "";
}

// The JSON at an address, of a POST where there is a body; an error holds what the server said as `told`.
async function ask(path, body) {
  const headers = { Authorization: `Bearer ${encodeURI(keptToken())}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const options = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(path, options);
  const told = await answer.json();
  if (answer.status === 401) askForToken();
  if (!answer.ok) throw Object.assign(new Error(told.error), { told });
  return told;
}

function askForToken() {
  if (document.getElementById("token-asked")) return;
  const box = Object.assign(document.createElement("dialog"), { id: "token-asked" });
  const label = Object.assign(document.createElement("label"), {
    textContent: "The token that the command showed at its start (the part after #token= of the address) ",
  });
  const entry = Object.assign(document.createElement("input"), { type: "password", autocomplete: "off" });
  const go = Object.assign(document.createElement("button"), { type: "button", textContent: "Open the page" });
  go.addEventListener("click", () => {
    sessionStorage.setItem(TOKEN, entry.value.trim());
    location.reload();
  });
  entry.addEventListener("keydown", (event) => { if (event.key === "Enter") go.click(); });
  label.append(entry);
  box.append(label, go);
  document.body.append(box);
  box.showModal();
}
