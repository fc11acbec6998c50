import { defineComponent, type DefineComponent, h, onMounted } from "vue";
import { load, reserved } from "./index.js";
import type { Service, WidgetAttributes } from "./types.js";

/** Properties of `SvcWidget`. */
export type SvcWidgetProps = Service & WidgetAttributes;

const PROPERTIES = [
  ...["baseUrl", "release", "integrity", "type", "theme", "bg", "accent", "lang", "country", "region", "city", "from"],
  ...["to", "types", "limit", "dates", "title", "start", "rotate", "labels", "cluster", "width", "height", "follow"],
  ...["base", "src"],
] as (keyof SvcWidgetProps)[];

/**
 * Widget that follows its properties. The content of its slot is visible until the widget has loaded, and while the
 * service is away.
 */
export const SvcWidget = defineComponent(
  (properties: SvcWidgetProps, { slots }) => {
    onMounted(() => load(properties).catch(console.error));
    return () => {
      const { baseUrl, release, integrity, ...attributes } = properties;
      return h("svc-widget", { ...attributes, style: reserved(attributes) }, slots["default"]?.());
    };
  },
  { name: "SvcWidget", props: PROPERTIES },
);

declare module "vue" {
  interface GlobalComponents {
    "svc-widget": DefineComponent<WidgetAttributes>;
  }
}
