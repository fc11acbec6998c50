// The rows of the feed by keyboard: the list is one stop, arrow keys lead from row to row, and each has a button.
const main = document.querySelector("main");

// On what stays when the page's content is replaced.
main.addEventListener("keydown", (event) => {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  const buttons = [...main.querySelectorAll(".feed li button")];
  const last = buttons.length - 1;
  const at = buttons.indexOf(target);
  const to = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[key];
  if (!target.closest(".feed ol") || to === undefined || altKey || ctrlKey || metaKey) return;
  event.preventDefault();
  buttons[to]?.focus();
});
