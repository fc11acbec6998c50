// Keeps pages of the portal up to date: while a page is visible, reads it again every few seconds and replaces the marked
// parts that have changed. Without this script, visitors reload the page.
const INTERVAL = 5000;

setInterval(() => document.visibilityState === "visible" && refresh().catch(() => {}), INTERVAL);

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" }, cache: "no-store" });
  // The page that signs in, after the end of the session, has none of the parts.
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = page.getElementById(part.id);
    if (next) update(part, next);
  }
}

function update(part, next) {
  for (const opened of part.querySelectorAll("details[open][id]")) {
    const same = next.querySelector(`#${CSS.escape(opened.id)}`);
    if (same) same.open = true;
  }
  if (part.innerHTML === next.innerHTML) return;
  // The element with the focus keeps it if the new part has the same one. Somebody who is about to press a button is not
  // interrupted.
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  if (focused && !focused.matches("details[id] > summary")) return;
  part.replaceChildren(...next.childNodes);
  if (focused) document.getElementById(focused.parentElement.id)?.querySelector("summary").focus();
}
