/*
 * Puts the service's widgets into pages.
 *
 *   <script src="https://reports.example.org/embed.js" data-base="https://reports.example.org" async></script>
 *   <div data-svc="metrics" data-width="100%" data-height="120"></div>
 *   <svc-widget type="feed" lang="de"></svc-widget>
 *
 * On the script, `data-base` says where the service is; without it, where this script came from.
 *
 * An element with `data-svc` is replaced by an iframe. The iframe gets the element's id, class, style,
 * `aria-` and `data-` attributes; those of the latter that are settings may change there later:
 * `iframe.dataset.theme = "dark"`. `<svc-widget>` keeps its iframe inside itself, which suits frameworks
 * and shadow roots; its settings are attributes of the same names without `data-`. So does
 * `svc.mount(element, { type: "feed" })`, which returns `{ update(settings), destroy() }`.
 *
 *   base      where the service is, if not where the script's is
 *   src       the iframe's address, instead of the one made here; then options do nothing
 *   width     default 100%; a bare number is pixels
 *   height    default what the widget is made for: 120 (metrics), 320 (feed), 400 (globe);
 *             auto is what the content takes
 *   theme …   the widget's options, see OPTIONS
 *
 * Elements that come later are found too. Styles are set property by property, which a content security
 * policy of the page allows. Nothing is stored.
 */
(() => {
  "use strict";

  // The service puts its own widgets in for this name: { metrics: { height: 120, titles: { en: "…" } } }.
  const WIDGETS = { __proto__: null, ...SVC_WIDGETS };
  const OPTIONS = ["theme", "accent", "lang", "country", "region", "city", "types", "title", "bg"];
  const SETTINGS = ["base", "src", "width", "height", ...OPTIONS];
  const SELECTOR = "[data-svc]";

  // A script that was loaded as a module, or put in by another, is told where it is from by its stack alone.
  const [url] = /https?:\/\/\S+\/embed\.js[^\s:)]*/.exec(new Error().stack) || [""];
  const script =
    document.currentScript || Array.from(document.scripts).find((script) => script.src === url);
  const base = resolve((script && script.dataset.base) || resolve(".", script ? script.src : url));

  // A second copy for the same service would only watch the page in vain.
  const bases = (window.__svcEmbed = window.__svcEmbed || new Set());
  if (bases.has(base)) return;
  bases.add(base);

  // Our iframes, each with its frame: see `create`.
  const frames = new Map();

  // The absolute URL without a trailing slash, or an empty string if it is invalid.
  function resolve(url, from) {
    try {
      return new URL(url, from || document.baseURI).href.replace(/\/+$/, "");
    } catch {
      return "";
    }
  }

  // Once, however often the element is found.
  const warned = new WeakMap();
  function warn(text, element) {
    if (warned.get(element) === text) return;
    warned.set(element, text);
    console.warn(`svc: ${text}`, element);
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

  // Whether what is painted behind an element is dark.
  function isOnDark(element) {
    for (let node = element; node; node = node.parentNode || node.host) {
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const [red, green, blue, alpha = 1] = getComputedStyle(node).backgroundColor.match(/[\d.]+/g) || [0, 0, 0, 0];
      if (alpha > 0.5) return 0.3 * red + 0.6 * green + 0.1 * blue < 128;
    }
    // The page's own ground is that of its scheme.
    const { colorScheme } = getComputedStyle(document.documentElement);
    return colorScheme === "dark" || (/dark/.test(colorScheme) && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  // A widget's iframe, and what it was last told. `read` returns a setting by its name, and `label` is what
  // the iframe is called unless the settings say so.
  function create(read, label) {
    const iframe = document.createElement("iframe");
    const frame = { iframe, read, label };
    iframe.loading = "lazy";
    iframe.setAttribute("frameborder", "0");
    // Themes style iframes as well.
    Object.assign(iframe.style, {
      border: "0",
      borderRadius: "12px",
      boxSizing: "content-box",
      maxWidth: "100%",
      padding: "0",
    });
    // Also when the page puts it back after it has removed it.
    iframe.addEventListener("load", () => frames.set(iframe, frame));
    return frame;
  }

  // Brings an iframe up to its settings. Returns whether they are those of a widget.
  function update(frame, element) {
    const { iframe, read, label } = frame;
    const type = read("type");
    const widget = WIDGETS[type];
    if (!widget) {
      return warn(`unknown widget type "${type}"; known types are ${Object.keys(WIDGETS).join(", ")}`, element);
    }
    const own = read("src");
    const address = own
      ? resolve(own)
      : `${read("base") ? resolve(read("base")) : base}/embed/${type}`;
    // A `javascript:` URL must not run in the page.
    if (!/^https?:/.test(address)) return warn(`"${own || address}" is not the address of a widget`, element);

    const lang = (read("lang") || navigator.language || "").slice(0, 2).toLowerCase();
    iframe.title = label || read("title") || widget.titles[lang] || widget.titles.en;
    const sizes = `${read("width")} ${read("height")} ${type}`;
    if (sizes !== frame.sizes) {
      size(iframe, "width", "100%", read("width"));
      size(iframe, "height", `${widget.height}`, read("height"));
    }
    const goes = address !== frame.address;
    Object.assign(frame, { address, own, sizes, place: element });
    if (goes) frame.options = {};
    tell(frame);
    if (goes) {
      const query = new URLSearchParams(frame.options).toString();
      iframe.src = own || address + (query && `?${query}`);
    }
    return true;
  }

  // Tells the widget its options, also those that it no longer has.
  function tell({ iframe, read, own, options, place }) {
    // What is at another address is left as it is.
    if (own) return;
    for (const name of OPTIONS) {
      const value = read(name) || "";
      if (value || name in options) options[name] = value;
    }
    const isBare = options.bg === "none";
    const isFixed = options.theme === "light" || options.theme === "dark";
    if (isBare && !isFixed) options.theme = isOnDark(iframe.isConnected ? iframe : place) ? "dark" : "light";
    // Where frame and document disagree on it, browsers paint a white or black ground under both. One
    // without a ground of its own is always of the light scheme.
    iframe.style.colorScheme = isBare ? "light" : isFixed ? options.theme : "";
    // To any origin: options are no secret, and that of a sandboxed widget cannot be named.
    const to = iframe.contentWindow;
    if (to) to.postMessage({ type: "svc:options", options }, "*");
  }

  addEventListener("message", ({ data, origin, source }) => {
    for (const [iframe, frame] of frames) {
      if (!data || iframe.contentWindow !== source) continue;
      // It listens only now: nothing said before is lost, if it is said again.
      if (data.type === "svc:ready") tell(frame);
      if (
        data.type === "svc:height" &&
        frame.read("height") === "auto" &&
        typeof data.height === "number" &&
        (origin === new URL(frame.address).origin ||
          (origin === "null" && iframe.hasAttribute("sandbox")))
      ) {
        size(iframe, "height", `${Math.min(Math.max(data.height, 1), 4000)}`);
      }
    }
  });

  // Renders a widget inside an element.
  function mount(element, settings) {
    const read = typeof settings === "function" ? settings : (name) => settings[name];
    const frame = create(read);
    const { iframe } = frame;
    iframe.style.display = "block";
    const render = () => {
      if (update(frame, element) && iframe.parentNode !== element) {
        frames.set(iframe, frame);
        element.append(iframe);
      }
    };
    render();
    return {
      update(changes) {
        Object.assign(settings, changes);
        render();
      },
      destroy() {
        iframe.remove();
        frames.delete(iframe);
      },
    };
  }

  if (!window.svc) {
    window.svc = { mount: (element, settings) => mount(element, { ...settings }) };
  }

  if (!customElements.get("svc-widget")) {
    customElements.define(
      "svc-widget",
      class extends HTMLElement {
        static get observedAttributes() {
          return ["type", ...SETTINGS];
        }
        connectedCallback() {
          this.widget = mount(this, (name) => this.getAttribute(name));
        }
        attributeChangedCallback() {
          if (this.widget) this.widget.update();
        }
        disconnectedCallback() {
          if (this.widget) this.widget.destroy();
          this.widget = undefined;
        }
      },
    );
  }

  // An element belongs to the script before it, or to the first one: two services can be on one page.
  function isOurs(element) {
    const scripts = Array.from(document.querySelectorAll("script[src]")).filter(
      (one) => one === script || (one.dataset.base && /\/embed\.js/.test(one.src)),
    );
    const before = scripts.filter((one) => one.compareDocumentPosition(element) & 4);
    const owner = before.pop() || scripts[0];
    return !owner || owner === script || resolve(owner.dataset.base) === base;
  }

  function replace(element) {
    if (!element.isConnected || !isOurs(element)) return;
    const { svc } = element.dataset;
    const read = (name) => (name === "type" ? svc : iframe.dataset[name]);
    const frame = create(read, element.title);
    const { iframe } = frame;
    for (const { name, value } of element.attributes) {
      if (/^(id$|class$|aria-|data-)/.test(name)) iframe.setAttribute(name, value);
    }
    // It would be taken for one more element to replace.
    delete iframe.dataset.svc;
    if (!update(frame, element)) return;
    for (const name of element.style) {
      const value = element.style.getPropertyValue(name);
      iframe.style.setProperty(name, value, element.style.getPropertyPriority(name));
    }
    // Not for ever those that the page has removed.
    for (const other of frames.keys()) if (!other.isConnected) frames.delete(other);
    frames.set(iframe, frame);
    element.replaceWith(iframe);
  }

  function replaceWithin(node) {
    if (node.nodeType === Node.ELEMENT_NODE && node.matches(SELECTOR)) replace(node);
    if (node.querySelectorAll) node.querySelectorAll(SELECTOR).forEach(replace);
  }

  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes") {
        if (frames.has(target)) update(frames.get(target), target);
        else if (target.matches(SELECTOR)) replace(target);
      }
      addedNodes.forEach(replaceWithin);
    }
  }).observe(document, {
    attributeFilter: ["svc", ...SETTINGS].map((name) => `data-${name}`),
    childList: true,
    subtree: true,
  });
  replaceWithin(document);
})();
