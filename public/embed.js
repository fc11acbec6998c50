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
 *   height    default what the widget is made for: 120 (metrics), 320 (feed), 400 (globe), 240 (trend);
 *             auto is what the content takes
 *   follow    the id of another widget's element: this globe shows what is selected there; empty for any
 *   theme …   the widget's options, see OPTIONS; lang=page is the language of the page around it
 *
 * Elements that come later are found too. Styles are set property by property, which a content security
 * policy of the page allows. Nothing is stored.
 */
(() => {

  // The service puts its own widgets in for this name: { metrics: { height: 120, titles: { en: "…" } } }.
  const WIDGETS = { __proto__: null, ...SVC_WIDGETS };
  const SETTINGS = (
    "base src width height " +
    "theme accent bg lang country region city from to types limit dates title start rotate labels cluster"
  ).split(" ");
  const OPTIONS = SETTINGS.slice(4);

  // A script that was loaded as a module, or put in by another, is told where it is from by its stack alone.
  const [url] = /https?:\/\/\S+\/embed\.[\w.]*js[^\s:)]*/.exec(new Error().stack) || [""];
  const script = document.currentScript || [...document.scripts].find((script) => script.src === url);
  const base = resolve((script && script.dataset.base) || resolve(".", script ? script.src : url));

  // A second copy for the same service would only watch the page in vain.
  const bases = window.__svcEmbed || (window.__svcEmbed = new Set());
  if (bases.has(base)) return;
  bases.add(base);

  // By their iframes: see `create`.
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
    console.warn("svc: " + text, element);
  }

  // What is found first at an element or one around it, also beyond shadow roots.
  function closest(element, find) {
    for (let node = element; node; node = node.parentNode || node.host) {
      const found = node.style && find(node);
      if (found) return found;
    }
  }

  // Whether what is painted behind an element is dark.
  function isOnDark(element) {
    const ground = closest(element, (node) => {
      const [red, green, blue, alpha = 1] = getComputedStyle(node).backgroundColor.match(/[\d.]+/g) || [0, 0, 0, 0];
      return alpha > 0.5 && { light: 0.3 * red + 0.6 * green + 0.1 * blue };
    });
    if (ground) return ground.light < 128;
    // The page's own ground is that of its scheme.
    const { colorScheme } = getComputedStyle(document.documentElement);
    return colorScheme === "dark" || (/dark/.test(colorScheme) && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  // A widget's iframe, for a place on the page. `setting` returns one by its name, and `label` is what the iframe
  // is called unless the settings say so.
  function create(element, setting, label) {
    const iframe = document.createElement("iframe");
    let address, content, isThere, options, own, sizes;

    iframe.loading = "lazy";
    iframe.frameBorder = "0";
    // For the menu in the widget's corner.
    iframe.allow = "fullscreen; clipboard-write";
    // Themes style iframes as well.
    iframe.style.cssText = "padding:0;border:0;max-width:100%;border-radius:12px;box-sizing:content-box";
    iframe.addEventListener("load", () => {
      // Also when the page puts it back after it has removed it.
      frames.set(iframe, frame);
      if (!own && !isThere && !iframe.srcdoc) setTimeout(stand, 3e3);
    });

    // A widget says that it is there. Without a word, the service could not be reached: a quiet note stands in
    // for the browser's error, until the next try.
    function stand() {
      if (isThere) return;
      const title = iframe.title.replace(/[<&]/g, "");
      iframe.srcdoc = `<meta name="color-scheme" content="light dark"><small>${title} · offline`;
      setTimeout(() => iframe.removeAttribute("srcdoc"), 3e4 * (1 + Math.random()));
    }

    function place() {
      return iframe.isConnected ? iframe : element;
    }

    function read(name) {
      const value = setting(name, iframe);
      if (name !== "lang" || value !== "page") return value;
      return closest(place(), ({ lang }) => lang !== "page" && lang);
    }

    // Only what changed: else styles of the page's own would be lost.
    function fit({ height }) {
      const wanted = [height, read("width"), read("height") === "auto" ? content : read("height")];
      if (`${wanted}` === sizes) return;
      sizes = `${wanted}`;
      size("width", "100%");
      size("width", wanted[1]);
      size("height", height);
      size("height", wanted[2]);
    }

    // What CSS does not take for a length, is not set: then the one before stays.
    function size(side, value) {
      const length = /^[\d.]+$/.test(value) ? value + "px" : value;
      if (!length || length === "auto") return;
      iframe.style[side] = length;
      if (iframe.style[side] === length) iframe[side] = value;
    }

    // Brings the iframe up to its settings. Returns whether they are those of a widget.
    function update() {
      const type = read("type");
      const widget = WIDGETS[type];
      if (!widget) {
        return warn(`unknown widget type "${type}"; known types are ${Object.keys(WIDGETS).join(", ")}`, element);
      }
      own = read("src");
      const before = address;
      address = own ? resolve(own) : `${read("base") ? resolve(read("base")) : base}/embed/${type}`;
      // A `javascript:` URL must not run in the page.
      if (!/^https?:/.test(address)) return warn(`"${own || address}" is not the address of a widget`, element);

      const lang = (read("lang") || navigator.language).toLowerCase().slice(0, 2);
      iframe.title = label || read("title") || widget.titles[lang] || widget.titles.en;
      fit(widget);
      if (address === before) tell();
      else {
        options = {};
        tell();
        const query = new URLSearchParams(options).toString();
        iframe.src = own || address + (query && "?" + query);
      }
      frames.set(iframe, frame);
      return true;
    }

    // Tells the widget its options, also those that it no longer has.
    function tell() {
      // What is at another address is left as it is.
      if (own) return;
      for (const name of OPTIONS) {
        const value = read(name) || "";
        if (value || name in options) options[name] = value;
      }
      const isBare = options.bg === "none";
      const isFixed = options.theme === "light" || options.theme === "dark";
      if (isBare && !isFixed) options.theme = isOnDark(place()) ? "dark" : "light";
      // Where frame and document disagree on it, browsers paint a white or black ground under both. One
      // without a ground of its own is always of the light scheme.
      iframe.style.colorScheme = isBare ? "light" : isFixed ? options.theme : "";
      post({ type: "svc:options", options });
    }

    // To any origin: nothing here is a secret, and that of a sandboxed widget cannot be named.
    function post(message) {
      const to = iframe.contentWindow;
      if (to) to.postMessage(message, "*");
    }

    function receive({ data, origin, source }) {
      if (!data || iframe.contentWindow !== source) return;
      const isSandboxed = origin === "null" && iframe.hasAttribute("sandbox");
      if (!isSandboxed && !address.startsWith(`${origin}/`)) return;
      const { type, height, report } = data;
      isThere = true;
      // It listens only now: nothing said before is lost, if it is said again.
      if (type === "svc:ready") tell();
      if (type === "svc:height") {
        content = Math.min(Math.max(height, 1), 4000);
        fit(WIDGETS[read("type")]);
      }
      if (type === "svc:select") {
        const { id } = iframe.id ? iframe : element;
        frames.forEach((other) => other !== frame && other.follow(id, report));
      }
    }

    // Shows a report that was selected in the widget of this id, if it is the one to follow, or any is.
    function follow(id, report) {
      const leader = read("follow");
      if (leader === "" || (leader && leader === id)) post({ type: "svc:show", report });
    }

    const frame = { iframe, update, receive, follow };
    return frame;
  }

  addEventListener("message", (message) => frames.forEach((frame) => frame.receive(message)));

  // Renders a widget inside an element.
  function mount(element, setting) {
    const { iframe, update } = create(element, setting);
    iframe.style.display = "block";
    const render = () => {
      if (update() && iframe.parentNode !== element) element.append(iframe);
    };
    render();
    return { render, destroy: () => iframe.remove() };
  }

  if (!customElements.get("svc-widget")) {
    window.svc = {
      mount(element, { ...settings }) {
        const { render, destroy } = mount(element, (name) => settings[name]);
        return {
          update(changes) {
            Object.assign(settings, changes);
            render();
          },
          destroy,
        };
      },
    };
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
          if (this.widget) this.widget.render();
        }
        disconnectedCallback() {
          // Which returns nothing.
          this.widget = this.widget.destroy();
        }
      },
    );
  }

  // An element belongs to the script before it, or to the first one: two services can be on one page.
  function isOurs(element) {
    let owner;
    for (const one of document.scripts) {
      const isLoader = one === script || (one.dataset.base && /\/embed\.[\w.]*js/.test(one.src));
      if (isLoader && (!owner || one.compareDocumentPosition(element) & 4)) owner = one;
    }
    return !owner || owner === script || resolve(owner.dataset.base) === base;
  }

  function replace(element) {
    if (!isOurs(element)) return;
    const { svc } = element.dataset;
    const { iframe, update } = create(element, (name, { dataset }) => (name === "type" ? svc : dataset[name]), element.title);
    for (const { name, value } of element.attributes) {
      if (/^(id$|class$|aria-|data-)/.test(name)) iframe.setAttribute(name, value);
    }
    // It would be taken for one more element to replace.
    delete iframe.dataset.svc;
    if (!update()) return;
    iframe.style.cssText += element.style.cssText;
    element.replaceWith(iframe);
  }

  function replaceAll() {
    document.querySelectorAll("[data-svc]").forEach(replace);
  }

  new MutationObserver((changes) => {
    frames.forEach(({ update }, iframe) => {
      // Not for ever those that the page has removed.
      if (!iframe.isConnected) frames.delete(iframe);
      else if (changes.some(({ attributeName, target }) => target === iframe || attributeName === "lang")) update();
    });
    replaceAll();
  }).observe(document, {
    attributeFilter: ["lang", "data-svc", ...SETTINGS.map((name) => "data-" + name)],
    childList: true,
    subtree: true,
  });
  replaceAll();
})();
