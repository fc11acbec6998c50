// Copy buttons for code. Without this script the buttons stay hidden, and visitors can select the code.
for (const button of document.querySelectorAll("[data-copy]")) {
  const snippet = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  let back;

  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copy(snippet);
    button.textContent = done ? button.dataset.copied : button.dataset.selected;
    clearTimeout(back);
    back = setTimeout(() => (button.textContent = label), 2000);
  });
}

// Copies the text of an element, or selects it: the clipboard is only available on secure pages.
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return false;
  }
}
