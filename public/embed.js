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

  // The service puts its own widgets in for this name: { metrics: [120, "Reports so far", "Relatos até agora", …] },
  // heights in pixels, and titles in the order of the languages in `update`.
  const WIDGETS = { __proto__: null, ...SVC_WIDGETS };
  const SETTINGS = (
    "type base src width height " +
    "theme accent bg lang country region city from to types limit dates title start rotate labels cluster"
  ).split(" ");
  const OPTIONS = SETTINGS.slice(5);

  // Reads a property from the prototype: elements with its name or id hide it in `document` and in forms.
  const get = (node, name) => Reflect.get(Object.getPrototypeOf(node), name, node);
  const create = (name) => Document.prototype.createElement.call(document, name);

  // Modules and scripts that another script inserted are no `currentScript`: their URL is in the stack.
  const LOADER = /https?:\/\/\S+\/embed\.[\w.]*js[^\s:)]*/;
  const [url] = LOADER.exec(new Error().stack) || "";
  const script = get(document, "currentScript") || [...get(document, "scripts")].find((script) => script.src === url);
  const base = resolve((script && script.dataset.base) || resolve(".", script ? script.src : url));

  // A second copy for the same service would only watch the page in vain.
  const bases = window.__svcEmbed instanceof Set ? window.__svcEmbed : (window.__svcEmbed = new Set());
  if (bases.has(base)) return;
  bases.add(base);

  // By their iframes, see `frameFor`.
  const frames = new Map();

  // Whether the background of an element is dark. Without a colour there, its text must be readable on it.
  function isOnDark(element) {
    const ground = closest(element, (node) => brightness(getComputedStyle(node).backgroundColor));
    return ground ? ground < 1280 : brightness(getComputedStyle(element).color) > 1280;
  }

  function replaceAll() {
    Document.prototype.querySelectorAll.call(document, "[data-svc]:not(form)").forEach(replace);
  }

  // Returns the brightness of a colour, from 1 to 2551, or false if it is rather transparent. The browser paints a
  // pixel, because no expression matches every notation.
  function brightness(colour) {
    const context = create("canvas").getContext("2d");
    context.canvas.width = 1;
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return alpha > 127 && 1 + 3 * red + 6 * green + blue;
  }

  addEventListener("message", (message) => frames.forEach((frame) => frame.receive(message)));

  if (!customElements.get("svc-widget")) {
    window.svc = { mount };
    customElements.define(
      "svc-widget",
      Object.assign(
        class extends HTMLElement {
          connectedCallback() {
            this.widget = mount(this, {}, (name) => this.getAttribute(name));
          }
          attributeChangedCallback() {
            if (this.widget) this.widget.update();
          }
          disconnectedCallback() {
            // Which returns nothing.
            this.widget = this.widget.destroy();
          }
        },
        { observedAttributes: SETTINGS },
      ),
    );
  }

  // Renders a widget inside an element.
  function mount(element, { ...settings }, setting = (name) => settings[name]) {
    const { iframe, update } = frameFor(element, setting);
    iframe.style.display = "block";
    const widget = {
      update(changes) {
        Object.assign(settings, changes);
        if (update() && !iframe.parentNode) element.append(iframe);
      },
      destroy() {
        iframe.remove();
      },
    };
    widget.update();
    return widget;
  }

  // The absolute URL without a trailing slash, or an empty string if it is invalid.
  function resolve(url, from) {
    try {
      return new URL(url, from || get(document, "baseURI")).href.replace(/\/+$/, "");
    } catch {
      return "";
    }
  }

  // What is found first at an element or one around it, also beyond shadow roots.
  function closest(element, find) {
    for (let node = element; node; node = get(node, "parentNode") || get(node, "host")) {
      const found = node instanceof Element && find(node);
      if (found) return found;
    }
  }

  function warn(text, element) {
    // Once, however often the element is found.
    if (element.svc !== text) console.warn("svc: " + (element.svc = text), element);
  }

  // An element belongs to the script before it, or to the first one: two services can be on one page.
  function isOurs(element) {
    let owner;
    for (const one of get(document, "scripts")) {
      if (one === script || (one.dataset.base && LOADER.test(one.src))) {
        if (!owner || one.compareDocumentPosition(element) & 4) owner = one;
      }
    }
    return !owner || owner === script || resolve(owner.dataset.base) === base;
  }

  function replace(element) {
    if (!isOurs(element)) return;
    const { svc } = element.dataset;
    const { iframe, update } = frameFor(element, (name, { dataset }) => (name === "type" ? svc : dataset[name]));
    for (const name of element.getAttributeNames()) {
      if (/^(id$|class$|aria-|data-(?!svc$))/.test(name)) iframe.setAttribute(name, element.getAttribute(name));
    }
    if (!update()) return;
    iframe.style.cssText += element.style.cssText;
    element.replaceWith(iframe);
  }

  // A widget's iframe, for an element of the page. `setting` returns a setting by its name.
  function frameFor(element, setting) {
    const iframe = create("iframe");
    let address, content, isThere, options, own, sizes, widget;

    iframe.loading = "lazy";
    iframe.frameBorder = "0";
    // For the menu in the widget's corner.
    iframe.allow = "fullscreen; clipboard-write";
    // Themes style iframes as well.
    iframe.style.cssText = "padding:0;border:0;max-width:100%;border-radius:12px;box-sizing:content-box";
    iframe.addEventListener("load", () => {
      // Also when the page puts it back after it has removed it.
      frames.set(iframe, frame);
      if (!iframe.srcdoc) setTimeout(stand, 3e3);
    });

    // A widget's page posts a message as soon as it is there. Without one, its scripts may be blocked: if the service
    // answers, the page is loaded once more and stays. Else a quiet note replaces the browser's error page until the
    // next try.
    const stand = async () => {
      if (isThere || own) return;
      isThere = (await fetch(iframe.src).catch(() => 0)).ok;
      if (isThere) return (iframe.src += "");
      iframe.srcdoc =
        `<meta name=color-scheme content="light dark"><small>${iframe.title.replace(/</g, "")}: offline`;
      setTimeout(() => iframe.removeAttribute("srcdoc"), 45e3);
    };

    const place = () => (iframe.isConnected ? iframe : element);

    function receive({ data, origin, source }) {
      if (!data || iframe.contentWindow !== source) return;
      // The origin of sandboxed widgets is opaque.
      if (origin !== "null" && !address.startsWith(`${origin}/`)) return;
      const { type, height, report } = data;
      isThere = true;
      // It listens only now: nothing said before is lost, if it is said again.
      if (type === "svc:ready") tell();
      if (type === "svc:height") fit((content = Math.min(Math.max(height, 1), 4000)));
      if (type === "svc:select") frames.forEach((other) => other.follow(iframe.id || element.id, report));
    }

    // Tells the widget its options, also those that it no longer has.
    function tell() {
      // What is at another address is left as it is.
      if (own) return;
      for (const name of OPTIONS) {
        if (read(name) || options[name]) options[name] = read(name) || "";
      }
      const isBare = options.bg === "none";
      const isFixed = options.theme === "light" || options.theme === "dark";
      if (isBare && !isFixed) options.theme = isOnDark(place()) ? "dark" : "light";
      // Where frame and document disagree on it, browsers paint a white or black ground under both. One
      // without a ground of its own is always of the light scheme.
      iframe.style.colorScheme = isBare ? "light" : isFixed ? options.theme : "";
      post({ type: "svc:options", options });
    }

    // Brings the iframe up to its settings. Returns whether they are those of a widget.
    function update() {
      const type = read("type");
      if (!WIDGETS[type]) {
        return warn(`unknown widget type "${type}"; known types are ${Object.keys(WIDGETS).join(", ")}`, element);
      }
      widget = WIDGETS[type];
      own = read("src");
      const before = address;
      address = own ? resolve(own) : resolve(read("base") || base) + "/embed/" + type;
      // A `javascript:` URL must not run in the page.
      if (!/^https?:/.test(address)) return warn(`"${own || address}" is not a widget URL`, element);

      iframe.title =
        element.title ||
        read("title") ||
        widget["enptesfrdear".indexOf((read("lang") || navigator.language).toLowerCase().slice(0, 2)) / 2 + 1] ||
        widget[1];
      fit();
      if (address === before) tell();
      else {
        // What is not of the script's service may be anybody's.
        if (!address.startsWith(`${base}/`)) {
          iframe.allow = "";
          iframe.sandbox = "allow-popups allow-scripts";
        }
        options = {};
        tell();
        iframe.src = own || `${address}?${new URLSearchParams(options)}`.replace(/\?$/, "");
      }
      frames.set(iframe, frame);
      return true;
    }

    function read(name) {
      const value = setting(name, iframe);
      if (name !== "lang" || value !== "page") return value;
      return closest(place(), (node) => get(node, "lang") !== value && get(node, "lang"));
    }

    // To any origin: nothing here is a secret, and that of a sandboxed widget cannot be named.
    function post(message) {
      if (iframe.contentWindow) iframe.contentWindow.postMessage(message, "*");
    }

    // What CSS does not take for a length, is not set: then the one before stays.
    function size(side, value) {
      const length = +value ? value + "px" : value;
      if (!length || length === "auto") return;
      iframe.style[side] = length;
      if (iframe.style[side] === length) iframe[side] = value;
    }

    // Only what changed: else styles of the page's own would be lost.
    function fit() {
      const [height] = widget;
      const wanted = [height, read("width"), read("height") === "auto" ? content : read("height")];
      if (`${wanted}` === sizes) return;
      sizes = `${wanted}`;
      size("width", "100%");
      size("width", wanted[1]);
      size("height", height);
      size("height", wanted[2]);
    }

    // Shows a report that was selected in the widget of this id, if it is the one to follow, or any is.
    const follow = (id, report) => {
      const leader = read("follow");
      if (leader === "" || leader === id) post({ type: "svc:show", report });
    };

    const frame = { iframe, update, receive, follow };
    return frame;
  }

  // Updates the widgets in an element whose look or language may have changed; all of them, if the target is a media
  // query.
  const refresh = ({ target }) => {
    frames.forEach(({ update }, iframe) => closest(iframe, (node) => node === target || target.media) && update());
  };

  matchMedia("(prefers-color-scheme: dark)").onchange = refresh;
  addEventListener("transitionend", refresh);
  new MutationObserver((changes) => {
    // Lets go of those that the page has removed.
    frames.forEach((_, iframe) => iframe.isConnected || frames.delete(iframe));
    changes.filter(({ attributeName }) => /^(lang|class|data-)/.test(attributeName)).forEach(refresh);
    replaceAll();
  }).observe(document, { attributes: true, subtree: true, childList: true });
  replaceAll();
})();
