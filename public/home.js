// Makes a choice in the snippet builder take effect at once: asks for the page that the form asks
// for, and takes over what is different there. Without this the form has its button.
const form = document.querySelector("form.builder");
const snippets = ["iframe", "script"];
let latest;

form.querySelector("[type=submit]").hidden = true;
form.addEventListener("change", async () => {
  const address = `/?${new URLSearchParams(new FormData(form))}`;
  latest = address;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (latest === address) show(page, address);
  } catch {
    // What fails here, the browser explains better.
    if (latest === address) form.submit();
  }
});

function show(page, address) {
  for (const id of snippets) {
    document.getElementById(id).textContent = page.getElementById(id).textContent;
  }
  // A new element, because a new address in the old one would be a step in the visitor's history.
  document.getElementById("preview").replaceWith(page.getElementById("preview"));
  history.replaceState(null, "", address);
}
