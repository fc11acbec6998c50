// What a widget and the page around it tell each other, by message:
//
//   to the widget     { type: "svc:options", options: { theme: "dark", … } }
//                     { type: "svc:show", report }, for a globe to turn there
//   from the widget   { type: "svc:ready" }, once it listens
//                     { type: "svc:height", height: 120 }, the pixels that its content takes
//                     { type: "svc:report", report }, when one is new
//                     { type: "svc:select", report } or { …, place }, when somebody clicks on it
//
// The last two come from the islands (app/src/host.rs). A report is an object of the API.
//
// Options that are not told stay as they are, and "" is an option's default. What is not known is
// ignored in silence, as it is in the address.
//
// Whoever may frame the widget (`frame-ancestors` says who) may choose its options, and could do
// so in its address. So nothing hangs on the origin of a message: what decides is that it comes
// from the parent, and from no other frame. What the widget tells is secret from nobody.

// These and the accent are styles; the first is the default. The others change what the server
// renders: it is fetched, and takes the place of what is there, without loading the page anew.
const STYLES = { theme: ["auto", "light", "dark"], bg: ["surface", "none"] };
const RENDERED = [
  "lang", "country", "region", "city", "from", "to", "types", "limit", "dates", "title",
  "start", "rotate", "labels", "cluster",
];

// What a globe has above and below it, and how high it gets at the most, in pixels.
const AROUND_GLOBE = 86;
const GLOBE = 600;
// No scrollbar is wider.
const SCROLLBAR = 24;

// Set by boot.js: `islands` has the functions that hydrate and end the islands, and is null without wasm; `ready` is
// a promise that is fulfilled when those of the page have been hydrated.
export const host = { islands: null, ready: undefined };

const { parent } = window;
const { dataset } = document.documentElement;
const main = document.querySelector("main");
// The accent that was asked for last; the one that is seen is in the document's `data-accent`.
let accent = dataset.accent ?? "";
// Ends the last fetch of a change.
let last = new AbortController();
let told = 0;

if (parent !== window) {
  addEventListener("message", ({ data, source }) => {
    if (source !== parent || !data) return;
    const { type, options, report } = data;
    if (type === "svc:options" && options) change(options);
    if (type === "svc:show" && report) dispatchEvent(new CustomEvent(type, { detail: report }));
  });
  tell({ type: "svc:ready" });

  new ResizeObserver(tellHeight).observe(main);
  watchList();
}

prepareMenu();

// The corner menu opens by itself. What it has beside links needs a hand.
document.querySelector(".menu").addEventListener("click", async (event) => {
  const item = event.target.closest("[data-do]");
  if (item?.dataset.do === "screen") return document.documentElement.requestFullscreen();
  // Where it may not copy, the link leads to the builder, which has the code as well.
  if (item?.dataset.do !== "copy" || !mayCopy()) return;
  event.preventDefault();
  try {
    const builder = await (await fetch(item.href)).text();
    const code = new DOMParser().parseFromString(builder, "text/html").getElementById("iframe");
    await navigator.clipboard.writeText(code.textContent);
    item.textContent = item.dataset.done;
  } catch {
    open(item.href, "_blank", "noopener");
  }
});

// Chromium tells beforehand, and complains in the console if nobody asks.
function mayCopy() {
  return navigator.clipboard && document.featurePolicy?.allowsFeature("clipboard-write") !== false;
}

function prepareMenu() {
  const screen = document.querySelector("[data-do=screen]");
  if (screen) screen.hidden = !document.fullscreenEnabled;
}

function tell(message) {
  parent.postMessage(message, "*");
}

// A row beyond the edge of the list changes the size of nothing.
function watchList() {
  const list = main.className === "feed" && main.querySelector("ol");
  if (list) new MutationObserver(tellHeight).observe(list, { childList: true });
}

function tellHeight() {
  const height = Math.ceil(content());
  // The narrower the globe, the lower: one that made its page scroll would be narrower by the
  // scrollbar, thus lower, thus wide again, for ever.
  if (main.className === "globe" && Math.abs(height - told) <= SCROLLBAR) return;
  told = height;
  tell({ type: "svc:height", height });
}

// The pixels that the content takes. They must not depend on how many it has, else frame and
// widget would chase each other.
function content() {
  if (main.className === "globe") return Math.min(main.clientWidth + AROUND_GLOBE, GLOBE);
  if (main.className !== "feed") return main.getBoundingClientRect().height;
  const [header, list, nothing] = ["header", "ol", ".nothing"].map((selector) =>
    main.querySelector(selector),
  );
  return header.offsetHeight + Math.max(list.scrollHeight, nothing.scrollHeight);
}

function change(options) {
  const query = new URLSearchParams(location.search);
  const before = `${query}`;
  for (const name of RENDERED) {
    const value = options[name];
    if (value === "") query.delete(name);
    else if (typeof value === "string") query.set(name, value);
  }
  const after = `${query}`;

  for (const [name, values] of Object.entries(STYLES)) {
    const value = options[name] === "" ? values[0] : options[name];
    if (values.includes(value)) dataset[name] = value;
    query.set(name, dataset[name]);
  }
  wear(digits(options.accent));
  if (accent) query.set("accent", accent);
  else query.delete("accent");
  if (after === before) return;
  // Only a difference that is still there after the address has been read again: else a value that
  // no address can carry would be rendered each time.
  history.replaceState(null, "", `?${query}`);
  render();
}

// Puts what the server renders for the options now into the page.
async function render() {
  last.abort();
  last = new AbortController();
  const { signal } = last;
  const html = await load(signal);
  // A change in the middle of hydration would take away what is being hydrated; and nothing of the islands may be
  // under way in the task that ends them.
  for (let ready; ready !== host.ready; ) {
    ready = host.ready;
    await ready;
    await new Promise((resume) => setTimeout(resume));
  }
  if (!html || signal.aborted) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  // The islands of this page cannot hydrate what another version of the service renders.
  if (bootScript(page) !== bootScript(document)) return location.reload();
  host.islands?.leave();
  for (const name of ["lang", "dir"]) {
    document.documentElement[name] = page.documentElement[name];
  }
  document.title = page.title;
  for (const selector of ["main", "#initial", ".menu"]) {
    document.querySelector(selector).replaceChildren(...page.querySelector(selector).childNodes);
  }
  host.ready = host.islands?.hydrate();
  prepareMenu();
  watchList();
  tellHeight();
}

// Returns the page for the options now, or nothing without an answer: what is shown then stays, and the next change
// tries again.
async function load(signal) {
  try {
    const answer = await fetch(location, { signal });
    return answer.ok && (await answer.text());
  } catch {
    // The network failed, or a later change aborted this one.
  }
}

function bootScript(page) {
  return page.querySelector("script[type=module]")?.getAttribute("src");
}

// The six digits of a colour as the address takes it too; undefined if it is none.
function digits(value) {
  if (value === "") return value;
  const [, digits] = (typeof value === "string" && /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(value)) || [];
  return digits?.toLowerCase().replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3");
}

function wear(digits) {
  if (digits === undefined || digits === accent) return;
  accent = digits;
  const sheet = digits && document.createElement("link");
  // The sheet before stays until its successor is there; whoever paints by colours hears of it by
  // the attribute.
  const settle = () => {
    for (const other of document.querySelectorAll("link.accent")) {
      if (other === sheet) break;
      other.remove();
    }
    dataset.accent = digits;
  };
  if (!sheet) return settle();
  Object.assign(sheet, { className: "accent", rel: "stylesheet", onload: settle });
  sheet.href = `accent/${digits}.css`;
  document.head.append(sheet);
}
