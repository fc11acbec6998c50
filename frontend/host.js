// What a widget and the page around it tell each other, by message:
//
//   to the widget     { type: "svc:options", options: { theme: "dark", … } }
//   from the widget   { type: "svc:ready" }, once it listens
//                     { type: "svc:height", height: 120 }, the pixels that its content takes
//
// Options that are not told stay as they are, and "" is an option's default. What is not known is
// ignored in silence, as it is in the address.
//
// Whoever may frame the widget (`frame-ancestors` says who) may choose its options, and could do
// so in its address. So nothing hangs on the origin of a message: what decides is that it comes
// from the parent, and from no other frame. What the widget tells is secret from nobody.

// These and the accent change in place; the first is the default. The others change what the
// server renders.
const IN_PLACE = { theme: ["auto", "light", "dark"], bg: ["surface", "none"] };
const RENDERED = ["lang", "country", "region", "city", "types", "title"];

// What a globe has above and below it, and how high it gets at the most, in pixels.
const AROUND_GLOBE = 86;
const GLOBE = 600;
// No scrollbar is wider.
const SCROLLBAR = 24;

const { parent } = window;
const { dataset } = document.documentElement;
const main = document.querySelector("main");
// The accent that was asked for last; the one that is seen is in the document's `data-accent`.
let accent = dataset.accent ?? "";
let told = 0;

if (parent !== window) {
  addEventListener("message", ({ data, source }) => {
    if (source === parent && data?.type === "svc:options" && data.options) change(data.options);
  });
  tell({ type: "svc:ready" });

  new ResizeObserver(tellHeight).observe(main);
  // A row beyond the edge of the list changes the size of nothing.
  const list = main.className === "feed" && main.querySelector("ol");
  if (list) new MutationObserver(tellHeight).observe(list, { childList: true });
}

function tell(message) {
  parent.postMessage(message, "*");
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

  for (const [name, values] of Object.entries(IN_PLACE)) {
    const value = options[name] === "" ? values[0] : options[name];
    if (values.includes(value)) dataset[name] = value;
    query.set(name, dataset[name]);
  }
  wear(digits(options.accent));
  if (accent) query.set("accent", accent);
  else query.delete("accent");
  // Only a difference that is still there after the address has been read again: else a value that
  // no address can carry would reload the widget for ever.
  if (after !== before) location.replace(`?${query}`);
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
  sheet.href = `/embed/accent/${digits}.css`;
  document.head.append(sheet);
}
