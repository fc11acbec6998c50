import type { Component, Snippet } from "svelte";
import type { HTMLAttributes } from "svelte/elements";
import type { Service, WidgetAttributes } from "./types.js";

/** Properties of the component. */
export interface SvcWidgetProps extends Service, WidgetAttributes {
  id?: string;
  class?: string;
  style?: string;
  children?: Snippet;
}

declare const SvcWidget: Component<SvcWidgetProps>;
export default SvcWidget;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "svc-widget": WidgetAttributes & Omit<HTMLAttributes<HTMLElement>, keyof WidgetAttributes>;
  }
}
