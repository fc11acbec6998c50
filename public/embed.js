/*
 * Embeds the service's widgets in pages.
 *
 *   <script src="https://reports.example.org/embed.js" data-base="https://reports.example.org" async></script>
 *   <div data-svc="metrics" data-width="100%" data-height="120"></div>
 *   <svc-widget type="feed" lang="de"></svc-widget>
 *
 * `data-base` of the script is the URL of the service; by default, the folder of the script's URL.
 *
 * Each element with `data-svc` is replaced by an iframe. The iframe gets the element's id, class, style,
 * `aria-` and `data-` attributes. Settings among the `data-` attributes can be changed later:
 * `iframe.dataset.theme = "dark"`. `<svc-widget>` contains its iframe, which suits frameworks and shadow
 * roots; its settings are attributes of the same names without `data-`. `svc.mount(element, { type: "feed" })`
 * also inserts the iframe into the element, and returns `{ update(settings), destroy() }`.
 *
 *   base      URL of the service, if it differs from the script's
 *   src       URL of the iframe, instead of the generated one; options then have no effect
 *   width     100% by default; a number without a unit is in pixels
 *   height    by default the height of the widget: 120 (metrics), 320 (feed), 400 (globe), 240 (trend);
 *             auto is the height of the content
 *   follow    id of another widget's element: this globe shows reports selected there; if empty, in any widget
 *   theme …   options of the widget, see OPTIONS; lang=page is the language of the page around it
 *
 * Elements that are added later are found, too. Styles are set as single properties, which the content
 * security policy of a page permits. Nothing is stored.
 */
(() => {

  // Widgets, which the service inserts in place of the global variable:
  // { metrics: [120, "Reports so far", "Relatos até agora", …] }. Each has its height in pixels, and its titles in the
  // order of the languages in `update`.
  const WIDGETS = { __proto__: null, ...SVC_WIDGETS };
  const SETTINGS = (
    "type base src width height " +
    "theme accent bg lang country region city from to types limit dates title start rotate labels cluster"
  ).split(" ");
  const OPTIONS = SETTINGS.slice(5);

  // Reads a property from the prototype, because elements with the same name or id hide it in `document` and forms.
  const get = (node, name) => Reflect.get(Object.getPrototypeOf(node), name, node);
  const create = (name) => Document.prototype.createElement.call(document, name);

  // Modules and scripts inserted by another script are not the `currentScript`. Their URL is in the stack trace.
  const LOADER = /https?:\/\/\S+\/embed\.[\w.]*js[^\s:)]*/;
  const [url] = LOADER.exec(new Error().stack) || "";
  const script = get(document, "currentScript") || [...get(document, "scripts")].find((script) => script.src === url);
  const base = resolve((script && script.dataset.base) || resolve(".", script ? script.src : url));

  // A second copy for the same service would observe the page without any effect.
  const bases = window.__svcEmbed instanceof Set ? window.__svcEmbed : (window.__svcEmbed = new Set());
  if (bases.has(base)) return;
  bases.add(base);

  // Frames by their iframes, see `frameFor`.
  const frames = new Map();

  // Whether the background of an element is dark. If the background has no colour, it is dark if the text is bright.
  function isOnDark(element) {
    const ground = closest(element, (node) => brightness(getComputedStyle(node).backgroundColor));
    return ground ? ground < 1280 : brightness(getComputedStyle(element).color) > 1280;
  }

  function replaceAll() {
    Document.prototype.querySelectorAll.call(document, "[data-svc]:not(form)").forEach(replace);
  }

  // Returns the brightness of a colour, from 1 to 2551, or false if the colour is mostly transparent. The browser
  // paints a pixel, because no regular expression matches all notations.
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
            // The result of `destroy` is undefined.
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

  // Returns the absolute URL without a trailing slash, or an empty string if the URL is invalid.
  function resolve(url, from) {
    try {
      return new URL(url, from || get(document, "baseURI")).href.replace(/\/+$/, "");
    } catch {
      return "";
    }
  }

  // Returns the first result of `find` for an element and its ancestors, including those outside its shadow root.
  function closest(element, find) {
    for (let node = element; node; node = get(node, "parentNode") || get(node, "host")) {
      const found = node instanceof Element && find(node);
      if (found) return found;
    }
  }

  function warn(text, element) {
    // Logs a warning once, even if the element is found again.
    if (element.svc !== text) console.warn("svc: " + (element.svc = text), element);
  }

  // Whether an element belongs to this script. A page can have the scripts of two services: an element belongs to the
  // last script before it, or to the first script.
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

  // Creates the iframe of a widget for an element of the page. `setting` returns a setting by its name.
  function frameFor(element, setting) {
    const iframe = create("iframe");
    let address, content, isThere, options, own, sizes, widget;

    iframe.loading = "lazy";
    iframe.frameBorder = "0";
    // Permissions that the corner menu of the widget needs.
    iframe.allow = "fullscreen; clipboard-write";
    // Overrides styles that themes set for iframes.
    iframe.style.cssText = "padding:0;border:0;max-width:100%;border-radius:12px;box-sizing:content-box";
    iframe.addEventListener("load", () => {
      // Registers the iframe again if the page has removed and reinserted it.
      frames.set(iframe, frame);
      if (!iframe.srcdoc) setTimeout(stand, 3e3);
    });

    // A widget posts a message as soon as it is displayed. Without a message, its scripts may be blocked: if the
    // service responds, the widget is loaded once more and stays. Otherwise a short note replaces the browser's error
    // page until the next attempt.
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
      // Sandboxed widgets have an opaque origin.
      if (origin !== "null" && !address.startsWith(`${origin}/`)) return;
      const { type, height, report } = data;
      isThere = true;
      // The widget accepts messages only now, so earlier ones are sent again.
      if (type === "svc:ready") tell();
      if (type === "svc:height") fit((content = Math.min(Math.max(height, 1), 4000)));
      if (type === "svc:select") frames.forEach((other) => other.follow(iframe.id || element.id, report));
    }

    // Sends the widget its options, including those that have been removed since.
    function tell() {
      // A page at a URL from `src` gets no options.
      if (own) return;
      for (const name of OPTIONS) {
        if (read(name) || options[name]) options[name] = read(name) || "";
      }
      const isBare = options.bg === "none";
      const isFixed = options.theme === "light" || options.theme === "dark";
      if (isBare && !isFixed) options.theme = isOnDark(place()) ? "dark" : "light";
      // If frame and document differ in their color-scheme, browsers paint a white or black background behind the
      // document. A transparent widget always has the light scheme.
      iframe.style.colorScheme = isBare ? "light" : isFixed ? options.theme : "";
      post({ type: "svc:options", options });
    }

    // Applies the settings to the iframe. Returns whether they are the settings of a widget.
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
        // Content from outside the script's service is not trusted.
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

    // Posts to any origin, because messages contain no secrets and the opaque origin of a sandboxed widget has no name.
    function post(message) {
      if (iframe.contentWindow) iframe.contentWindow.postMessage(message, "*");
    }

    // Sets the width or height. If the value is no valid CSS length, the previous one stays.
    function size(side, value) {
      const length = +value ? value + "px" : value;
      if (!length || length === "auto") return;
      iframe.style[side] = length;
      if (iframe.style[side] === length) iframe[side] = value;
    }

    // Sets width and height if they have changed. Otherwise styles set by the page would be lost.
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

    // Shows a report that was selected in the widget with this id, if this widget follows that one or every widget.
    const follow = (id, report) => {
      const leader = read("follow");
      if (leader === "" || leader === id) post({ type: "svc:show", report });
    };

    const frame = { iframe, update, receive, follow };
    return frame;
  }

  // Updates the widgets inside an element whose appearance or language may have changed, or all widgets if the target
  // is a media query.
  const refresh = ({ target }) => {
    frames.forEach(({ update }, iframe) => closest(iframe, (node) => node === target || target.media) && update());
  };

  matchMedia("(prefers-color-scheme: dark)").onchange = refresh;
  addEventListener("transitionend", refresh);
  new MutationObserver((changes) => {
    // Drops iframes that the page has removed.
    frames.forEach((_, iframe) => iframe.isConnected || frames.delete(iframe));
    changes.filter(({ attributeName }) => /^(lang|class|data-)/.test(attributeName)).forEach(refresh);
    replaceAll();
  }).observe(document, { attributes: true, subtree: true, childList: true });
  replaceAll();
})();
