import type { Service, Settings, WidgetAttributes, WidgetType } from "./types.js";

export type * from "./types.js";

const HEIGHTS: Record<WidgetType, number> = { metrics: 120, feed: 320, globe: 400, trend: 240 };

/** Scripts by their URLs. */
const scripts = new Map<string, Promise<void>>();

/**
 * Loads the service's script, which makes `<svc-widget>` and `data-svc` elements live. Later calls for the same script
 * wait for the first one; after a failure they try again. On a server, nothing happens.
 */
export function load({ baseUrl, release, integrity }: Service): Promise<void> {
  if (typeof document === "undefined") return Promise.resolve();
  const base = baseUrl.replace(/\/+$/, "");
  const src = `${base}/embed${release ? `.${release}` : ""}.js`;
  const loading = scripts.get(src) ?? insert(src, base, integrity);
  scripts.set(src, loading);
  loading.catch(() => scripts.delete(src));
  return loading;
}

function insert(src: string, base: string, integrity?: string): Promise<void> {
  const script = document.createElement("script");
  // Browsers can check the bytes only if the request has CORS.
  if (integrity) Object.assign(script, { integrity, crossOrigin: "anonymous" });
  script.dataset["base"] = base;
  script.src = src;
  document.head.append(script);
  return new Promise((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    };
  });
}

/** Style that reserves the space of a widget until it is loaded, so that the page does not move. */
export function reserved({ type, height }: Pick<WidgetAttributes, "type" | "height">): {
  display: "block";
  minHeight: string;
} {
  const pixels = Number(height) || HEIGHTS[type] || 0;
  return { display: "block", minHeight: `${pixels}px` };
}

declare global {
  interface HTMLElementTagNameMap {
    "svc-widget": HTMLElement;
  }
  interface Window {
    /** Set once the script is loaded. */
    svc?: {
      mount(element: Element, settings: Settings): { update(changes: Partial<Settings>): void; destroy(): void };
    };
  }
}
