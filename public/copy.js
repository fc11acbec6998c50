// Copy buttons for code. Without this they are not there, and the code is text to select.
for (const button of document.querySelectorAll("[data-copy]")) {
  const snippet = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  let back;

  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copy(snippet);
    button.textContent = done ? "Copied" : "Selected";
    clearTimeout(back);
    back = setTimeout(() => (button.textContent = label), 2000);
  });
}

// The clipboard is there on secure pages only; elsewhere selecting is as near as one gets.
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return false;
  }
}
