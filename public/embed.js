/*
 * Replaces the elements of a page that ask for a widget by the widget:
 *
 *   <script src="https://reports.example.org/embed.js" data-base="https://reports.example.org" async></script>
 *   <div data-svc="metrics" data-width="100%" data-height="120"></div>
 *
 * On the script, `data-base` says where the service is; without it, where this script came from.
 * On an element:
 *
 *   data-svc      the widget: metrics, feed, globe; anything else is left alone
 *   data-src      the iframe's address, instead of the one made here
 *   data-width    default 100%; a bare number is pixels
 *   data-height   default what the widget is made for: 120 (metrics), 320 (feed), 400 (globe);
 *                 auto is what the content takes
 *   data-theme …  the widget's options, see OPTIONS
 *
 * Elements that come later are found too. The iframe has the element's other `data-` attributes,
 * and options that change there reach the widget: `iframe.dataset.theme = "dark"`. Styles are set
 * property by property, which a content security policy of the page allows. Nothing is stored, and
 * nothing is global but one mark.
 */
(() => {
  "use strict";

  // A second copy would find nothing to do, but would watch the page for it.
  if (window.__svcEmbed) return;
  window.__svcEmbed = true;

  // The service puts its own widgets in for this name: { metrics: { height: 120, titles: { en: "…" } } }.
  const WIDGETS = { __proto__: null, ...SVC_WIDGETS };
  const OPTIONS = ["theme", "accent", "lang", "country", "region", "city", "types", "title", "bg"];
  const SELECTOR = "[data-svc]";

  // Our iframes: where each one's widget is from, and the options that it has ever been given.
  const widgets = new WeakMap();

  // A script that was loaded as a module, or put in by another, does not know which one it is.
  const script =
    document.currentScript ||
    document.querySelector('script[src*="/embed.js"][data-base], script[src*="/embed.js"]');
  const base = (() => {
    try {
      const given = script.dataset.base;
      return new URL(given || new URL(".", script.src), document.baseURI).href.replace(/\/+$/, "");
    } catch {
      return "";
    }
  })();

  function address(element, type) {
    const query = new URLSearchParams();
    for (const name of OPTIONS) {
      if (element.dataset[name]) query.set(name, element.dataset[name]);
    }
    const text = query.toString();
    return `${base}/embed/${type}${text && `?${text}`}`;
  }

  // Whoever may write `data-src` may not thereby run scripts in the page.
  function isWeb(address) {
    try {
      return /^https?:$/.test(new URL(address, document.baseURI).protocol);
    } catch {
      return false;
    }
  }

  // What CSS does not take for a length, is not set: then the one before is.
  function size(iframe, side, ...values) {
    for (const value of values) {
      const length = /^[\d.]+$/.test(value) ? `${value}px` : value;
      if (!length || length === "auto") continue;
      iframe.style[side] = length;
      if (iframe.style[side] === length) iframe[side] = value;
    }
  }

  function mount(element) {
    const type = element.dataset.svc;
    if (!WIDGETS[type] || !element.isConnected) return;
    const src = element.dataset.src || address(element, type);
    if (!isWeb(src)) return;

    const { height, titles } = WIDGETS[type];
    const lang = (element.dataset.lang || navigator.language || "").slice(0, 2).toLowerCase();
    const iframe = document.createElement("iframe");
    if (element.id) iframe.id = element.id;
    if (element.className) iframe.className = element.className;
    iframe.title = element.title || titles[lang] || titles.en;
    iframe.loading = "lazy";
    iframe.setAttribute("frameborder", "0");
    size(iframe, "width", "100%", element.dataset.width);
    size(iframe, "height", `${height}`, element.dataset.height);
    iframe.style.border = "0";
    iframe.style.maxWidth = "100%";
    iframe.style.borderRadius = "12px";
    Object.assign(iframe.dataset, element.dataset);
    // It would be taken for one more element to replace.
    delete iframe.dataset.svc;
    widgets.set(iframe, { origin: new URL(src, document.baseURI).origin, options: {} });
    tell(iframe);
    iframe.src = src;
    element.replaceWith(iframe);
  }

  // Tells the widget its options, also those that it no longer has.
  function tell(iframe) {
    const { options } = widgets.get(iframe);
    for (const name of OPTIONS) {
      const value = iframe.dataset[name] || "";
      if (value || name in options) options[name] = value;
    }
    // Where frame and document disagree on it, browsers paint a white or black ground under both.
    const { theme } = options;
    iframe.style.colorScheme = theme === "light" || theme === "dark" ? theme : "";
    // To any origin: options are no secret, and that of a sandboxed widget cannot be named.
    const to = iframe.contentWindow;
    if (to) to.postMessage({ type: "svc:options", options }, "*");
  }

  addEventListener("message", ({ data, origin, source }) => {
    for (const iframe of document.querySelectorAll("iframe")) {
      const widget = widgets.get(iframe);
      if (!data || !widget || iframe.contentWindow !== source) continue;
      // It listens only now: nothing said before is lost, if it is said again.
      if (data.type === "svc:ready") tell(iframe);
      if (
        data.type === "svc:height" &&
        iframe.dataset.height === "auto" &&
        typeof data.height === "number" &&
        (origin === widget.origin || (origin === "null" && iframe.hasAttribute("sandbox")))
      ) {
        size(iframe, "height", `${Math.min(Math.max(data.height, 1), 4000)}`);
      }
    }
  });

  function mountWithin(node) {
    if (node.nodeType === Node.ELEMENT_NODE && node.matches(SELECTOR)) mount(node);
    if (node.querySelectorAll) node.querySelectorAll(SELECTOR).forEach(mount);
  }

  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes") (widgets.has(target) ? tell : mount)(target);
      addedNodes.forEach(mountWithin);
    }
  }).observe(document, {
    attributeFilter: ["svc", ...OPTIONS].map((name) => `data-${name}`),
    childList: true,
    subtree: true,
  });
  mountWithin(document);
})();
