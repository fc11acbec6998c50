/** Uses of the components and the element, which the compiler checks. */
import "svc-embed";
import { SvcWidget } from "svc-embed/react";
import { SvcWidget as VueWidget } from "svc-embed/vue";
import { createApp, h } from "vue";

const baseUrl = "https://svc.example.org";

export const page = (
  <main>
    <svc-widget type="feed" lang="page" height="auto" limit={5} className="newest" />
    <SvcWidget baseUrl={baseUrl} type="globe" follow="" theme="dark" style={{ width: 300 }}>
      <a href="/reports">Reports</a>
    </SvcWidget>
    {/* @ts-expect-error There is no such widget. */}
    <svc-widget type="ticker" />
    {/* @ts-expect-error There is no such theme. */}
    <SvcWidget baseUrl={baseUrl} type="feed" theme="blue" />
    {/* @ts-expect-error The service is missing. */}
    <SvcWidget type="feed" />
  </main>
);

createApp(() => h(VueWidget, { baseUrl, type: "metrics", bg: "none" }));
// @ts-expect-error There is no such background.
createApp(() => h(VueWidget, { baseUrl, type: "metrics", bg: "blue" }));

const element = document.createElement("svc-widget");
window.svc?.mount(element, { type: "trend", accent: "c2410c" }).update({ theme: "dark" });
