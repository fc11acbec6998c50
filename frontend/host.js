// Messages between a widget and the page around it:
//
//   to the widget     { type: "svc:options", options: { theme: "dark", … } }
//                     { type: "svc:show", report }, to turn a globe to the report
//   from the widget   { type: "svc:shown", title }, when a document or other text is displayed (the first by retry.js)
//                     { type: "svc:ready" }, when it accepts messages
//                     { type: "svc:height", height: 120 }, the height of its content in pixels
//                     { type: "svc:report", report }, for each new report
//                     { type: "svc:select", report } or { …, place }, when a visitor clicks on it
//
// Islands send the last two (app/src/contract/messages.rs). A report is an object of the API.
//
// Options that a message omits keep their value, and "" resets an option to its default. Unknown options are ignored
// without an error, as in the URL.
//
// A page that may frame the widget (see `frame-ancestors`) may choose its options, and could do so in the URL. The
// origin of a message is therefore irrelevant. The widget only checks that the message comes from its parent, not from
// another frame. Messages of the widget contain no secrets.

import { islands } from "./islands.js";

// Options, from the table in app/src/contract/options.rs. `styles` only change styles: each has its values, the first
// of which is the default, except `accent`. `html` change the HTML that the server renders: the new HTML is fetched and
// replaces the current content, without a reload of the page.
const { styles, html: rendered } = JSON.parse(document.getElementById("initial").textContent).host;

// Maximum width of a scrollbar in pixels.
const SCROLLBAR = 24;

const { parent } = window;
const { dataset } = document.documentElement;
const main = document.querySelector("main");
// Accent that was requested last. The visible accent is in the document's `data-accent`.
let accent = dataset.accent ?? "";
// Aborts the latest request for a change.
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

// Handles the items of the corner menu that are not plain links. The browser opens the menu without a script.
document.querySelector(".menu").addEventListener("click", async (event) => {
  const item = event.target.closest("[data-do]");
  if (item?.dataset.do === "screen") return document.documentElement.requestFullscreen();
  // If copying is not permitted, the link opens the snippet builder, which contains the code as well.
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

// Whether the page may write to the clipboard. Chromium exposes the permission in advance, and logs an error for
// attempts without it.
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

// Observes a list of rows. A row out of view does not change the size of any element, so the ResizeObserver does not
// report it.
function watchList() {
  const list = main.dataset.content === "rows" && main.querySelector("ol");
  if (list) new MutationObserver(tellHeight).observe(list, { childList: true });
}

function tellHeight() {
  const height = Math.ceil(content());
  // Ignores changes that a scrollbar can cause. The height of a square depends on its width: a higher one could give its
  // page a scrollbar, which makes it narrower and lower, so that the scrollbar disappears again, and so on.
  if (square() && Math.abs(height - told) <= SCROLLBAR) return;
  told = height;
  tell({ type: "svc:height", height });
}

// The two numbers of a content that is as high as wide: pixels above and below it, and its maximum height.
function square() {
  return main.dataset.content?.match(/\d+/g);
}

// Returns the height of the content in pixels. It must not depend on the height of the frame; otherwise frame and
// widget would resize each other endlessly.
function content() {
  const [more, most] = square() ?? [];
  if (most) return Math.min(main.clientWidth + +more, most);
  if (main.dataset.content !== "rows") return main.getBoundingClientRect().height;
  const [header, list, nothing] = ["header", "ol", ".nothing"].map((selector) =>
    main.querySelector(selector),
  );
  return header.offsetHeight + Math.max(list.scrollHeight, nothing.scrollHeight);
}

function change(options) {
  const query = new URLSearchParams(location.search);
  const before = `${query}`;
  for (const name of rendered) {
    const value = options[name];
    if (value === "") query.delete(name);
    else if (typeof value === "string") query.set(name, value);
  }
  const after = `${query}`;

  for (const [name, values] of Object.entries(styles)) {
    const value = options[name] === "" ? values[0] : options[name];
    if (values.includes(value)) dataset[name] = value;
    if (values.length) query.set(name, dataset[name]);
  }
  wear(digits(options.accent));
  if (accent) query.set("accent", accent);
  else query.delete("accent");
  // Compares serialized queries, not values: otherwise a value that no URL can contain would be rendered each time.
  if (after === before) return;
  history.replaceState(null, "", `?${query}`);
  render();
}

// Replaces the content of the page by the server's HTML for the current options.
async function render() {
  last.abort();
  last = new AbortController();
  const { signal } = last;
  const html = await load(signal);
  // Waits until hydration is complete, because this change would remove elements that are being hydrated. The islands
  // are ended in a new task, because none of them may be running in the task that ends them.
  for (let ready; ready !== islands.ready; ) {
    ready = islands.ready;
    await ready;
    await new Promise((resume) => setTimeout(resume));
  }
  if (!html || signal.aborted) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  // The islands of this page cannot hydrate HTML from another version of the service.
  if (bootScript(page) !== bootScript(document)) return location.reload();
  islands.leave?.();
  for (const name of ["lang", "dir"]) {
    document.documentElement[name] = page.documentElement[name];
  }
  document.title = page.title;
  tell({ type: "svc:shown", title: page.title });
  for (const selector of ["main", "#initial", ".menu"]) {
    document.querySelector(selector).replaceChildren(...page.querySelector(selector).childNodes);
  }
  islands.ready = islands.hydrate?.();
  prepareMenu();
  watchList();
  tellHeight();
}

// Returns the HTML of the page for the current options, or a falsy value if the request fails. Then the content stays,
// and the next change tries again.
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

// Returns the six digits of a colour in any notation that the URL accepts, or undefined if the value is invalid. An
// empty value stays empty.
function digits(value) {
  if (value === "") return value;
  const [, digits] = (typeof value === "string" && /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(value)) || [];
  return digits?.toLowerCase().replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3");
}

function wear(digits) {
  if (digits === undefined || digits === accent) return;
  accent = digits;
  const sheet = digits && document.createElement("link");
  // Removes the previous stylesheets, which stay until the new one is loaded. The attribute notifies code that draws
  // with these colours. One that was removed may still have a pending event.
  const settle = () => {
    if (sheet.isConnected === false) return;
    for (const other of document.querySelectorAll(".accent")) {
      if (other === sheet) break;
      other.remove();
    }
    dataset.accent = digits;
  };
  if (!sheet) return settle();
  const href = `accent/${digits}.css`;
  document.head.append(Object.assign(sheet, { className: "accent", rel: "stylesheet", onload: settle, href }));
}
