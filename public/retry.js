// Loads again what a widget's page could not load: its boot script and its style sheet. While nodes are upgraded one
// by one, a request for a file may reach a node that is of another version than the page. This script has the same
// name in all versions.
(() => {
  // Number of requests for a file. The pauses between them are a second, then twice as long each time: four minutes
  // in all.
  const MAX_TRIES = 9;
  // Try from which on the page may be of a version that no node has any more.
  const OUTDATED_TRIES = 4;

  const root = document.documentElement;

  // Tells the loader that this is no error page of the browser, even if no other script runs.
  parent.postMessage({ type: "svc:shown" }, "*");

  // Whether the service names another boot script in this page by now.
  async function isOutdated(boot) {
    try {
      const answer = await fetch(location, { cache: "no-cache" });
      return answer.ok && !(await answer.text()).includes(boot.getAttribute("src"));
    } catch {
      return false;
    }
  }

  // What boot.js and the style sheet set.
  const isBooted = () => root.dataset.boot;
  const isStyled = () => getComputedStyle(root).getPropertyValue("--text");
  const isComplete = () => isBooted() && isStyled();

  addEventListener("load", async () => {
    const boot = document.querySelector("script[type=module]");
    for (let tries = 2; tries <= MAX_TRIES && !isComplete(); tries++) {
      await new Promise((resume) => setTimeout(resume, 2 ** (tries - 2) * (750 + 500 * Math.random())));
      // What the last try asked for may have come.
      if (isComplete()) return;
      if (tries >= OUTDATED_TRIES && (await isOutdated(boot))) return location.reload();
      // A URL of its own for each try: browsers remember which module they could not load.
      if (!isStyled()) {
        const sheet = document.querySelector("link[rel=stylesheet]");
        const again = sheet.cloneNode();
        again.href = `${sheet.href.split("?")[0]}?${tries}`;
        sheet.replaceWith(again);
      }
      if (!isBooted()) await import(`${boot.src}?${tries}`).catch(() => {});
    }
  });
})();
