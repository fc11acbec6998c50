// Applies each choice in the snippet builder at once: requests the page that the form would open, and copies the
// differences from it. Without this script, the form has a submit button.
const form = document.querySelector(".builder form");
const { accent, country, region, city } = form.elements;
const swatch = form.querySelector("[type=color]");
let latest;

form.querySelector("[type=submit]").hidden = true;
form.addEventListener("change", choose);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  choose();
});

async function choose() {
  const choice = new FormData(form);
  // Invalid values are left out, so that other choices still take effect.
  form.reportValidity();
  for (const input of form.elements) {
    if (input.name && !input.validity.valid) choice.delete(input.name);
  }
  const address = `?${new URLSearchParams(choice)}`;
  latest = address;
  try {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (latest === address) show(page);
  } catch {
    // Lets the browser open the page, because it explains errors better.
    if (latest === address) form.submit();
  }
}

function show(page) {
  for (const id of ["iframe", "script", "pinned", "no-such-place", "files"]) {
    document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
  }
  // Replaces the iframe, because a new URL in the old one would add an entry to the visitor's history.
  const preview = page.getElementById("preview");
  preview.loading = "eager";
  document.getElementById("preview").replaceWith(preview);
  // Shows the choices as the server interpreted them: no type means all types, and a colour consists of its digits.
  const understood = page.querySelector(".builder form").elements;
  for (const [index, input] of [...form.elements].entries()) {
    if (input.type === "checkbox") input.checked = understood[index].checked;
    else if (input === accent && input.validity.valid) input.value = understood[index].value;
  }
  const replacements = page.querySelectorAll(".builder .only");
  form.querySelectorAll(".only").forEach((option, index) => (option.hidden = replacements[index].hidden));
  showSwatch();
  // The URL contains only the language of the page, if it was chosen, the widget, and the options that differ from
  // their defaults.
  const { pathname, searchParams } = new URL(preview.src);
  const query = new URLSearchParams([["widget", pathname.split("/").pop()], ...searchParams]);
  if (form.elements.language) query.set("language", form.elements.language.value);
  history.replaceState(null, "", `?${query}`);
}

// Colour picker for the accent. It always shows a colour: without an accent, the colour of the text.
swatch.hidden = false;
showSwatch();
swatch.addEventListener("change", () => {
  accent.value = swatch.value.slice(1);
});

function showSwatch() {
  swatch.value = `#${(accent.validity.valid && accent.value) || "14213d"}`;
}

// Known places, requested when one of the fields first gets the focus.
const parts = [country, region, city];
let locations;
for (const part of parts) {
  part.addEventListener("focus", suggest);
}

async function suggest({ target }) {
  locations ??= fetch("api/v1/geo-facets?from=0001-01-01&to=9999-12-31")
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`${answer.status}`))))
    .then((facets) => facets.locations);
  let all;
  try {
    all = await locations;
  } catch {
    // The next focus tries again. Visitors can type names without suggestions.
    locations = undefined;
    return;
  }
  const before = parts.slice(0, parts.indexOf(target));
  const fits = (location) =>
    before.every(({ name, value }) => !value || location[name].toLowerCase() === value.toLowerCase());
  const names = [...new Set(all.filter(fits).map((location) => location[target.name]))];
  const list = document.getElementById(`${target.name}-names`) ?? newList(target);
  list.replaceChildren(...names.sort().map((name) => new Option(name)));
}

function newList(input) {
  const list = document.createElement("datalist");
  list.id = `${input.name}-names`;
  form.append(list);
  input.setAttribute("list", list.id);
  return list;
}
