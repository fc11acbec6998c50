/*
 * Embeds the service's widgets in pages, see docs/embed.md:
 *   <script src="https://reports.example.org/embed.js" data-base="https://reports.example.org" async></script>
 *   <div data-svc="metrics" data-height="120"></div>
 *   <svc-widget type="feed" lang="de"></svc-widget>
 *
 * `data-svc` elements are replaced by iframes; `<svc-widget>`, `svc.mount` and divs with content keep theirs inside.
 * Styles are set as single properties, which the content security policy of a page permits. Nothing is stored.
 */
(() => {
  // The service inserts lists in place of the global variables. Each widget has its height in pixels and a function
  // that estimates the height of its whole content: { feed: [320, (width, limit) => 60 + 44 * (limit || 20)], … }
  const WIDGETS = SVC_WIDGETS;
  const OPTIONS = SVC_OPTIONS.split(" ");
  // Reads a property from the prototype, because elements with the same name or id hide it in `document` and forms.
  const get = (node, name) => Reflect.get(Object.getPrototypeOf(node), name, node);
  const create = (name) => Document.prototype.createElement.call(document, name);

  // Modules and scripts inserted by another script are not the `currentScript`. Their URL is in the stack trace.
  const LOADER = /https?:\/\/\S+\/embed\.[\w.]*js[^\s:)]*/;
  const [url] = LOADER.exec(new Error().stack) || "";
  const script = get(document, "currentScript") || [...get(document, "scripts")].find((script) => script.src === url);
  const base = resolve((script && script.dataset.base) || resolve(".", script ? script.src : url));

  // A second copy for the same service would have no effect.
  if (!(window.__svcEmbed instanceof Set)) window.__svcEmbed = new Set();
  if (__svcEmbed.has(base)) return;
  __svcEmbed.add(base);
  // Results of `frameFor`, by their iframes.
  const frames = new Map();

  // Whether the background of an element is dark. If the background has no colour, it is dark if the text is bright.
  function isOnDark(element) {
    const ground = closest(element, (node) => brightness(getComputedStyle(node).backgroundColor));
    return ground ? ground < 1280 : brightness(getComputedStyle(element).color) > 1280;
  }

  // Returns the brightness of a colour, from 1 to 2551, or false if it is mostly transparent.
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
    customElements.define("svc-widget", class extends HTMLElement {
      connectedCallback() {
        if (this.widget) return this.widget.update();
        this.widget = mount(this, {}, (name) => this.getAttribute(name));
        new MutationObserver(() => this.isConnected && this.widget.update()).observe(this, { attributes: true });
      }
      disconnectedCallback() {
        this.widget.destroy();
      }
    });
  }

  // Renders a widget inside an element. If its settings are attributes, other content covers it until it answers.
  function mount(element, { ...settings }, setting) {
    const { iframe, cover, fit, update } = frameFor(element, setting || ((name) => settings[name]));
    iframe.style.display = "block";
    const widget = {
      update(changes) {
        Object.assign(settings, changes);
        if (!update() || iframe.parentNode) return;
        element.append(iframe);
        fit();
        if (!setting || element.shadowRoot) return;
        const slot = create("slot");
        slot.name = iframe.slot = "svc";
        cover.style.cssText = "display:flow-root;height:0";
        element.attachShadow({ mode: "open" }).append(cover, slot);
      },
      destroy: () => iframe.remove(),
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

  // Logs a warning once, even if the element is found again.
  function warn(text, element) {
    if (element.svc !== text) console.warn("svc: " + (element.svc = text), element);
  }

  const replaceAll = () =>
    Document.prototype.querySelectorAll.call(document, "[data-svc]:not(form)").forEach(replace);

  // A page can have the scripts of two services: an element belongs to the last one before it, or to the first one.
  function isOurs(element) {
    let owner;
    for (const one of get(document, "scripts")) {
      if (one !== script && !(one.dataset.base && LOADER.test(one.src))) continue;
      if (!owner || one.compareDocumentPosition(element) & 4) owner = one;
    }
    return !owner || owner === script || resolve(owner.dataset.base) === base;
  }

  function replace(element) {
    if (!isOurs(element) || element.shadowRoot) return;
    const { svc } = element.dataset;
    const setting = (name, dataset) => (name === "type" ? svc : dataset[name]);
    if (element.firstElementChild && element.localName === "div") return mount(element, {}, setting);
    const { iframe, fit, update } = frameFor(element, setting);
    for (const name of element.getAttributeNames()) {
      if (/^(id$|class$|aria-|data-(?!svc$))/.test(name)) iframe.setAttribute(name, element.getAttribute(name));
    }
    if (!update()) return;
    iframe.style.cssText += element.style.cssText;
    iframe.style.minHeight = "";
    element.replaceWith(iframe);
    fit();
  }

  // Creates the iframe of a widget for an element of the page. `setting` returns a setting by its name.
  function frameFor(element, setting) {
    const [iframe, cover, sizes] = [create("iframe"), create("slot"), {}];
    let address, content, isThere, options, own, widget;
    iframe.loading = "lazy";
    iframe.frameBorder = "0";
    iframe.allow = "fullscreen; clipboard-write";
    // Overrides styles of themes. An iframe at the baseline of its line would have a gap below it.
    iframe.style.cssText =
      "padding:0;border:0;max-width:100%;vertical-align:top;border-radius:12px;box-sizing:content-box";
    iframe.addEventListener("load", () => {
      // Registers the iframe again if the page has removed and reinserted it.
      frames.set(iframe, frame);
      if (!iframe.srcdoc) setTimeout(stand, 3e3);
      // An error page would be visible behind the cover.
      if (cover.assignedElements()[0]) iframe.style.visibility = "hidden";
    });

    // A widget posts a message as soon as it is displayed. Without one, its scripts may be blocked: if the service
    // responds, it is loaded once more and stays. Otherwise a note replaces the error page until the next attempt.
    async function stand() {
      if (isThere || own) return;
      if ((await fetch(iframe.src).catch(() => 0)).ok) {
        iframe.src += "";
        return show();
      }
      const title = iframe.title.replace(/</g, "");
      iframe.srcdoc = `<meta name=color-scheme content="light dark"><small>${title}: offline`;
      setTimeout(() => iframe.removeAttribute("srcdoc"), 45e3);
    }

    function show() {
      isThere = true;
      cover.remove();
      iframe.style.visibility = "";
    }
    const place = () => (element.isConnected ? element : iframe);
    function receive({ data, origin, source }) {
      if (!data || iframe.contentWindow !== source) return;
      // Sandboxed widgets have an opaque origin.
      if (origin !== "null" && !address.startsWith(`${origin}/`)) return;
      const { type, height, report, title } = data;
      show();
      iframe.title = element.title || title || iframe.title;
      // The widget accepts messages only now, so earlier ones are sent again.
      if (type === "svc:ready") tell();
      if (type === "svc:height") fit((content = Math.min(Math.max(height, 1), 4000)));
      if (type === "svc:select") frames.forEach((other) => other.follow(iframe.id || element.id, report));
    }

    // Sends the widget its options, including those that have been removed since.
    function tell() {
      if (own) return;
      for (const name of OPTIONS) {
        if (read(name) || options[name]) options[name] = read(name) || "";
      }
      const isBare = options.bg === "none";
      const isFixed = options.theme === "light" || options.theme === "dark";
      if (isBare && !isFixed) options.theme = isOnDark(place()) ? "dark" : "light";
      // If the schemes of frame and document differ, browsers paint a background. A transparent widget's is light.
      iframe.style.colorScheme = isBare ? "light" : isFixed ? options.theme : "";
      post({ type: "svc:options", options });
    }

    // Applies the settings to the iframe. Returns whether they are the settings of a widget.
    function update() {
      const type = read("type");
      if (!WIDGETS[type]) return warn(`there is no widget "${type}"`, element);
      widget = WIDGETS[type];
      own = read("src");
      const before = address;
      address = own ? resolve(own) : resolve(read("base") || base) + "/embed/" + type;
      // A `javascript:` URL must not run in the page.
      if (!/^https?:/.test(address)) return warn(`"${own || address}" is not a widget URL`, element);
      // The widget will post its title, in its language.
      iframe.title = element.title || read("title") || iframe.title || type;
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
      const value = setting(name, place().dataset);
      if (name !== "lang" || value !== "page") return value;
      return closest(place(), (node) => get(node, "lang") !== value && get(node, "lang"));
    }

    // Posts to any origin, because messages contain no secrets and the opaque origin of a sandboxed widget has no name.
    function post(message) {
      if (iframe.contentWindow) iframe.contentWindow.postMessage(message, "*");
    }

    // Sets the size. Until the content's height is known, it is estimated as soon as the iframe has a width.
    function fit() {
      const [height, whole] = widget;
      const isAuto = read("height") === "auto";
      const width = isAuto && !content && iframe.clientWidth;
      size("width", "100%", read("width"));
      size("height", height, width ? whole(width, read("limit")) : isAuto ? content : read("height"));
    }

    // Sets a side to its last valid CSS length, if the values have changed: otherwise the page's styles would be lost.
    function size(side, ...values) {
      if (sizes[side] === `${values}`) return;
      sizes[side] = `${values}`;
      for (const value of values) {
        const length = +value ? value + "px" : value;
        if (length && length !== "auto") iframe.style[side] = length;
        if (iframe.style[side] === length) iframe[side] = value;
      }
    }

    // Shows a report that was selected in the widget with this id, if this widget follows that one or any.
    const follow = (id, report) => ["", id].includes(read("follow")) && post({ type: "svc:show", report });
    const frame = { iframe, cover, fit, update, receive, follow };
    return frame;
  }

  // Updates the widgets inside an element whose appearance or language may have changed. A media query updates all.
  const refresh = ({ target }) =>
    frames.forEach(({ update }, iframe) => closest(iframe, (node) => node === target || target.media) && update());
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
