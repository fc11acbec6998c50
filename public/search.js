// Search in the documentation. The index is loaded when the field gets the focus, which "/" moves there.
const field = document.getElementById("search");
const box = field.parentElement;
const list = box.querySelector("ul");
const outcome = box.querySelector("[role=status]");
// The paths in the index are those of a service that has its host to itself.
const base = field.dataset.index.slice(0, -"/docs/search.json".length);
const MAX_FOUND = 8;
let sections;

box.hidden = false;
field.addEventListener("focus", load);
field.addEventListener("input", search);
box.addEventListener("focusout", ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) list.hidden = true;
});
box.addEventListener("keydown", move);
document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || target.closest("input, select, textarea")) return;
  event.preventDefault();
  field.select();
});

async function load() {
  try {
    sections ??= fetch(field.dataset.index).then((answer) => answer.json()).then(flat);
    await sections;
  } catch {
    // The next focus tries again.
    sections = undefined;
  }
  search();
}

// Each page is a path, a label and its sections; each section an anchor, a heading and further words.
function flat(pages) {
  return pages.flatMap(([path, label, sections]) => [
    { href: path, label, heading: label, words: "" },
    ...sections.map(([anchor, heading, words]) => ({ href: `${path}#${anchor}`, label, heading, words })),
  ]);
}

async function search() {
  const query = field.value.trim().toLowerCase();
  const all = await sections;
  if (!all || query !== field.value.trim().toLowerCase()) return;
  const words = query.split(/\s+/);
  const rated = all.map((section) => [rate(section, words), section]).filter(([rating]) => rating > 0);
  const found = query ? rated.sort(([one], [other]) => other - one).slice(0, MAX_FOUND) : [];
  list.replaceChildren(...found.map(([, section]) => entry(section)));
  list.hidden = found.length === 0;
  outcome.textContent = query && `${found.length || "No"} ${found.length === 1 ? "result" : "results"}`;
}

// All words have to be in a section. Those in its heading count most.
function rate({ heading, label, words }, query) {
  let rating = 0;
  for (const word of query) {
    const at = heading.toLowerCase().indexOf(word);
    if (at >= 0) rating += at === 0 ? 9 : 6;
    else if (label.toLowerCase().includes(word)) rating += 2;
    else if (words.toLowerCase().includes(word)) rating += 3;
    else return 0;
  }
  return rating;
}

function entry({ href, label, heading }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = base + href;
  link.textContent = heading;
  if (heading !== label) {
    const page = document.createElement("small");
    page.textContent = label;
    link.append(page);
  }
  link.addEventListener("click", () => (list.hidden = true));
  item.append(link);
  return item;
}

function close() {
  field.value = "";
  list.hidden = true;
  field.focus();
}

function move(event) {
  const stops = [field, ...(list.hidden ? [] : list.querySelectorAll("a"))];
  const here = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) stops[(here + step + stops.length) % stops.length].focus();
  else if (event.key === "Escape") close();
  else if (event.key === "Enter" && here === 0 && stops[1]) stops[1].click();
  else return;
  event.preventDefault();
}
