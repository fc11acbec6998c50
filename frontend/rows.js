// Keyboard navigation of a list of rows. The list is a single tab stop, arrow keys move the focus between its rows, and each
// row has a button.
const main = document.querySelector("main");

// The listener is on `main`, which stays when its content is replaced.
main.addEventListener("keydown", (event) => {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  const buttons = [...main.querySelectorAll("ol li button")];
  const last = buttons.length - 1;
  const at = buttons.indexOf(target);
  const to = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[key];
  if (!target.closest("[data-content=rows] ol") || to === undefined || altKey || ctrlKey || metaKey) return;
  event.preventDefault();
  buttons[to]?.focus();
});
