export type WidgetType = "metrics" | "feed" | "globe" | "trend";

/** Service, and the release of its script. */
export interface Service {
  /** URL of the service, such as `https://svc.example.org`. */
  baseUrl: string;
  /** Hash of a release in `/embed.json`, which pins the script. By default the current one. */
  release?: string;
  /** `integrity` of the release in `/embed.json`. */
  integrity?: string;
}

/** Options of widgets. Unknown options are ignored. */
export interface WidgetOptions {
  theme?: "auto" | "light" | "dark";
  bg?: "surface" | "none";
  /** Colour of the most important number, such as `c2410c` or `#f60`. */
  accent?: string;
  /** `page` follows the `lang` attribute around the widget. */
  lang?: "en" | "pt" | "es" | "fr" | "de" | "ar" | "page";
  country?: string;
  region?: string;
  city?: string;
  /** First and last event date, such as `2026-01-31`. */
  from?: string;
  to?: string;
  /** Some of `spirit,water,both`. */
  types?: string;
  /** Reports in the feed: 1 to 100. */
  limit?: number | string;
  dates?: "reported" | "event";
  title?: string;
  /** Centre of the globe at first: latitude and longitude. */
  start?: string;
  rotate?: "off" | "on";
  labels?: "off" | "on";
  cluster?: "on" | "off";
}

/** Attributes of `<svc-widget>`. */
export interface WidgetAttributes extends WidgetOptions {
  type: WidgetType;
  /** Pixels or any length; by default 100%. */
  width?: number | string;
  /** Pixels, any length, or `auto` for the height of the content. */
  height?: number | string;
  /** Of a globe: `id` of the feed that it follows, or empty for all widgets. */
  follow?: string;
  /** URL of another service, sandboxed. */
  base?: string;
  /** Address of the iframe, instead of the generated one. */
  src?: string;
}

/** Settings of `svc.mount`. */
export type Settings = WidgetAttributes;

/** Report in a message of a widget. */
export interface WidgetReport {
  id: string;
  city: string;
  country: string;
  peopleCount: number;
  type: string;
  createdAt: string;
  eventDate?: string;
}

/** `data` of the messages that widgets post to the page around them. */
export type WidgetMessage =
  | { type: "svc:shown"; title: string }
  | { type: "svc:ready" }
  | { type: "svc:height"; height: number }
  | { type: "svc:report"; report: WidgetReport }
  | { type: "svc:select"; report: WidgetReport }
  | { type: "svc:select"; place: { city: string; country: string; spirit: number; water: number; both: number } };
