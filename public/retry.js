// Loads the boot script and the stylesheet of a widget again if they could not be loaded. During a rolling upgrade, a
// request for a file may reach a node of another version than the page. This script has the same name in all versions.
(() => {
  // Maximum number of requests for a file. The pause between them is a second at first and doubles each time: four
  // minutes in total.
  const MAX_TRIES = 9;
  // Number of the request from which on the script checks whether the page's version is gone from all nodes.
  const OUTDATED_TRIES = 4;

  const root = document.documentElement;

  // Notifies the loader that the frame shows this page and not an error page of the browser, even if no other script
  // runs.
  parent.postMessage({ type: "svc:shown", title: document.title }, "*");

  // Whether the service now serves this page with another boot script.
  async function isOutdated(boot) {
    try {
      const answer = await fetch(location, { cache: "no-cache" });
      return answer.ok && !(await answer.text()).includes(boot.getAttribute("src"));
    } catch {
      return false;
    }
  }

  // Whether boot.js has run, and whether the stylesheet is loaded.
  const isBooted = () => root.dataset.boot;
  const isStyled = () => getComputedStyle(root).getPropertyValue("--text");
  const isComplete = () => isBooted() && isStyled();

  addEventListener("load", async () => {
    const boot = document.querySelector("script[type=module]");
    for (let tries = 2; tries <= MAX_TRIES && !isComplete(); tries++) {
      await new Promise((resume) => setTimeout(resume, 2 ** (tries - 2) * (750 + 500 * Math.random())));
      // The previous attempt may have succeeded in the meantime.
      if (isComplete()) return;
      if (tries >= OUTDATED_TRIES && (await isOutdated(boot))) return location.reload();
      // Each attempt has a different URL, because browsers remember modules that they could not load.
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
