import {
  type CSSProperties,
  createElement,
  type DetailedHTMLProps,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  useEffect,
} from "react";
import { load, reserved } from "./index.js";
import type { Service, WidgetAttributes } from "./types.js";

/** Properties of `SvcWidget`. Children are visible until the widget has loaded, and while the service is away. */
export interface SvcWidgetProps extends Service, WidgetAttributes {
  id?: string;
  className?: string;
  style?: CSSProperties;
  children?: ReactNode;
}

/** Widget that follows its properties. */
export function SvcWidget(properties: SvcWidgetProps): ReactElement {
  const { baseUrl, release, integrity, style, children, ...attributes } = properties;
  useEffect(() => {
    load({ baseUrl, release, integrity }).catch(console.error);
  }, [baseUrl, release, integrity]);
  return createElement("svc-widget", { ...attributes, style: { ...reserved(attributes), ...style } }, children);
}

/** Attributes of `<svc-widget>` in JSX. */
export type SvcWidgetElement = WidgetAttributes &
  Omit<DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement>, keyof WidgetAttributes>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "svc-widget": SvcWidgetElement;
    }
  }
}
