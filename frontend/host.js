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

// These change in place; the first is the default. The others change what the server renders.
const IN_PLACE = { theme: ["auto", "light", "dark"], bg: ["surface", "none"] };
const RENDERED = ["accent", "lang", "country", "region", "city", "types"];

const { parent } = window;

if (parent !== window) {
  addEventListener("message", ({ data, source }) => {
    if (source === parent && data?.type === "svc:options" && data.options) change(data.options);
  });
  tell({ type: "svc:ready" });

  const main = document.querySelector("main");
  new ResizeObserver(() => {
    tell({ type: "svc:height", height: Math.ceil(main.getBoundingClientRect().height) });
  }).observe(main);
}

function tell(message) {
  parent.postMessage(message, "*");
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
    if (values.includes(value)) document.documentElement.dataset[name] = value;
    query.set(name, document.documentElement.dataset[name]);
  }
  // Only a difference that is still there after the address has been read again: else a value that
  // no address can carry would reload the widget for ever.
  if (after !== before) location.replace(`?${query}`);
}
