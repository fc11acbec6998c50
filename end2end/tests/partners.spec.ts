import type { Page } from "@playwright/test";
import { alternately } from "../support/desk.js";
import { checks, LANGUAGES } from "../support/languages.js";
import { Endpoint, partnersKey, signIn, TO_THIS_MACHINE } from "../support/portal.js";
import type { Row, Service } from "../support/service.js";
import { expect, test } from "../support/test.js";

const PLACE = { city: "Campinas", region: "São Paulo", country: "Brazil" };
const REPORTS: Row[] = [
  { id: "p-1", type: "water", ...PLACE },
  { id: "p-2", type: "spirit", ...PLACE, city: "Santos" },
];

/** Flags of a service that sends mails, to a server that does not exist. */
const MAILS = ["--smtp-url=smtp://127.0.0.1:9", "--mail-from=svc@example.org"];

async function restart(service: Service, flags = TO_THIS_MACHINE): Promise<void> {
  await service.stop();
  await service.start(...flags);
}

alternately((hasScripts) => {
  test("a partner subscribes, follows deliveries and sends them again", { tag: "@release" }, async ({
    page,
    ownService,
  }) => {
    test.slow();
    const endpoint = await Endpoint.start();
    await restart(ownService);
    await signIn(page, ownService);
    await expect(page.getByText("0 of 1,000 requests in the last 60 seconds")).toBeVisible();
    await expect(page.getByText("No endpoint receives events yet.")).toBeVisible();
    await expect(page.getByRole("img", { name: "The last 24 hours" })).toBeVisible();
    await expect(page.getByText("0 of 60,000 allowed")).toBeVisible();
    await expect(page).toHaveTitle("Partner portal");

    // The filter is tried before anything is saved.
    await ownService.import(REPORTS, "--approve");
    await page.getByLabel("URL of your endpoint").fill(endpoint.url);
    await page.getByLabel("metrics.updated").uncheck();
    await page.getByLabel("reports.imported").uncheck();
    await page.getByLabel("City").fill("campinas");
    await page.getByRole("button", { name: "Try the filter" }).click();
    await expect(page.getByText("1 of 2 events pass the filter.")).toBeVisible();
    await expect(page.locator("#log .state")).toHaveText(["is not sent", "is sent"]);
    await expect(page.getByLabel("URL of your endpoint")).toHaveValue(endpoint.url);
    await expect(page.getByLabel("metrics.updated")).not.toBeChecked();
    expect(page.url()).not.toContain("hooks");

    await page.getByRole("button", { name: "Subscribe" }).click();
    const secret = await page.locator(".issued code").textContent();
    expect(secret).toMatch(/^whsec_/);
    await page.getByText("Python", { exact: true }).first().click();
    await expect(page.locator("#run-1")).toHaveText(`SVC_WEBHOOK_SECRET=${secret} PORT=8080 python3 receiver.py`);
    await page.reload();
    await expect(page.locator(".issued")).toHaveCount(0);
    await expect(page.locator("#run-1")).toHaveText("SVC_WEBHOOK_SECRET=whsec_… PORT=8080 python3 receiver.py");

    await page.getByRole("button", { name: "Send a test" }).click();
    await expect(page.locator(".done")).toHaveText(/^The endpoint responded 204 after \d+ ms\.$/);

    // A delivery appears: at once with scripts, otherwise when the page is loaded again.
    const see = async (text: RegExp) => {
      await expect(async () => {
        if (!hasScripts) await page.reload();
        await expect(page.locator("#deliveries > ol > li").first()).toHaveText(text, { timeout: 1_000 });
      }).toPass();
    };
    endpoint.status = 503;
    endpoint.response = "<b>busy</b>";
    await ownService.import([{ id: "p-3", type: "both", ...PLACE }], "--approve");
    await see(/report\.created.*pending.*503/s);
    const first = page.locator("#deliveries > ol > li").first();
    await first.getByText("Response", { exact: true }).first().click();
    await expect(first.locator(".attempts pre").first()).toHaveText("<b>busy</b>");
    endpoint.status = 204;
    await first.getByRole("button", { name: "Send again" }).click();
    await see(/report\.created.*delivered.*503.*204/s);
    await first.getByText("Body", { exact: true }).click();
    const body = first.locator(".ways pre");
    await expect(body).toContainText('"id":"p-3"');
    expect(JSON.parse((await body.textContent())!)).toEqual(JSON.parse(endpoint.bodies.at(-1)!));

    await page.getByRole("link", { name: "failed", exact: true }).click();
    await expect(page.getByText("There are none.")).toBeVisible();
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.locator("#health .state")).toHaveText("disabled: The partner has disabled it.");
    await page.getByRole("button", { name: "Enable" }).click();
    await expect(page.locator("#health .state")).toHaveText("active");

    await page.getByRole("link", { name: "Change" }).click();
    await expect(page.getByLabel("City")).toHaveValue("campinas");
    await page.getByLabel("City").fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator(".done")).toHaveText("Saved.");
    await page.getByText("Delete", { exact: true }).click();
    await page.getByRole("button", { name: "Delete the subscription" }).click();
    await expect(page.locator(".done")).toHaveText("The subscription is deleted.");
    await expect(page.getByText("No endpoint receives events yet.")).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.locator(".done")).toHaveText("You are signed out.");
    await endpoint.close();
  });

  test("a partner enters and removes an address for mails", async ({ page, ownService }) => {
    await restart(ownService, MAILS);
    await signIn(page, ownService);
    const address = page.getByLabel("Your email address");
    const save = page.locator("#mails").getByRole("button", { name: "Save" });
    await address.fill("ada@example.org");
    await save.click();
    await expect(page.locator(".done")).toHaveText("The address is saved: mails about your endpoints go there.");
    await page.reload();
    await expect(address).toHaveValue("ada@example.org");
    await address.fill("");
    await save.click();
    await expect(page.locator(".done")).toHaveText("The address is removed: you get no mails.");
    await expect(address).toHaveValue("");
  });
});

alternately(() => {
  test("in a sandbox, an endpoint receives the tests that a partner sends, and no real event", async ({
    page,
    ownService,
  }) => {
    const endpoint = await Endpoint.start();
    await restart(ownService);
    await signIn(page, ownService, "Aid", "test");
    await expect(page.locator(".sandbox")).toHaveText(/Sandbox\s+Endpoints receive only tests/);
    await expect(page.getByRole("heading", { name: "Sample events" })).toBeVisible();
    await page.getByLabel("URL of your endpoint").fill(endpoint.url);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.locator(".sandbox")).toBeVisible();
    await ownService.import(REPORTS, "--approve");
    await page.getByLabel("Event of the test").selectOption("report.updated");
    await page.getByRole("button", { name: "Send a test" }).click();
    await expect(page.locator(".done")).toHaveText(/^The endpoint responded 204 after \d+ ms\.$/);
    await expect(page.getByLabel("Event of the test")).toHaveValue("report.updated");
    const bodies = endpoint.bodies.map((body) => JSON.parse(body));
    expect(bodies).toEqual([expect.objectContaining({ event: "report.updated" })]);
    expect(bodies[0].data).toEqual(expect.objectContaining({ id: "rep_test", test: true }));
    await endpoint.close();
  });
});

test("an open page follows without losing what somebody is reading", async ({ page, ownService }) => {
  const endpoint = await Endpoint.start();
  await restart(ownService);
  await signIn(page, ownService);
  await page.getByLabel("URL of your endpoint").fill(endpoint.url);
  await page.getByLabel("metrics.updated").uncheck();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.locator(".issued").waitFor();
  await ownService.import([REPORTS[0]!], "--approve");
  const rows = page.locator("#deliveries > ol > li");
  await expect(rows).toHaveCount(1);
  await rows.locator("summary").click();
  await expect(rows.locator("summary")).toBeFocused();
  await ownService.import([REPORTS[1]!], "--approve");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1).locator("details")).toHaveAttribute("open", "");
  await expect(rows.nth(1).locator("summary")).toBeFocused();
  // The secret stays until the page is left.
  await expect(page.locator(".issued code")).toHaveText(/^whsec_/);
  await endpoint.close();
});

for (const [number, lang] of LANGUAGES.entries()) {
  test(`all pages of the portal in ${lang} are accessible, fit each width and are translated`, async ({
    page,
    ownService,
    expectErrors,
  }) => {
    test.slow();
    expectErrors(/404 \(/);
    const endpoint = await Endpoint.start();
    endpoint.status = 500;
    endpoint.response = `<b>${"a-long-text-without-a-space/".repeat(9)}</b>`;
    await restart(ownService, [...TO_THIS_MACHINE, ...MAILS]);
    const ids = [await subscribe(ownService), await subscribe(ownService, endpoint.url)];
    await ownService.import(REPORTS, "--approve");
    await page.context().addCookies([{ name: "svc_partners_lang", value: lang, url: ownService.base }]);
    const checkOpened = checks(page, number);
    const check = async (name: string) => {
      await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
      await checkOpened(name);
    };
    await page.goto(`${ownService.base}/partners/sign-in`);
    await check("sign-in");
    await page.locator("input[name=key]").fill("svc_wrong");
    await page.locator("form.sign-in button").click();
    await expect(page.locator("[role=alert]")).toBeVisible();
    await check("refused");
    await signIn(page, ownService);
    await check("overview");
    await page.locator("input[name=url]").fill("https://10.0.0.1/x");
    await page.locator("form.subscription .main").click();
    await expect(page.locator("[role=alert]")).toBeVisible();
    await check("refused subscription");
    for (const path of [
      "?try=1&event=report.created&type=water&city=Campinas",
      `?change=${ids[0]}`,
      "/mails?token=x",
      "/nowhere",
    ]) {
      await page.goto(`${ownService.base}/partners${path}`);
      await check(path);
    }
    await page.goto(`${ownService.base}/partners/subscription?id=${ids[1]}`);
    await expect(page.locator(".attempts .response").first()).toBeVisible();
    await check("deliveries");
    await page.goto(`${ownService.base}/partners/subscription?id=${ids[0]}`);
    await check("subscription");
    await act(page, "rotate");
    await expect(page.locator(".issued")).toBeVisible();
    await check("secret");
    await act(page, "pause");
    await expect(page.locator(".done")).toBeVisible();
    await check("paused");
    await page.context().clearCookies({ name: "svc_partners" });
    await signIn(page, ownService, "Aid", "test");
    await expect(page.locator(".sandbox")).toBeVisible();
    await check("sandbox");
    await endpoint.close();
  });
}

/** Sends the form of an action on a subscription. */
async function act(page: Page, action: string): Promise<void> {
  await page.locator("#health details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")));
  await page.locator(`#health form[action$="/${action}"] button`).click();
}

/** Endpoint that does not exist. */
const NOWHERE = `https://93.184.215.14/${"a-long-path-without-a-space/".repeat(4)}`;

/** Subscribes an endpoint for the partner "Aid" with a new key; one that does not exist with a misspelt filter. Returns the id. */
async function subscribe(service: Service, url = NOWHERE): Promise<string> {
  const answer = await fetch(`${service.base}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${await partnersKey(service)}`, "content-type": "application/json" },
    body: JSON.stringify({
      url,
      events: ["report.created", "report.updated"],
      ...(url === NOWHERE && { filter: { city: "Campinass", types: ["water"] } }),
    }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()).subscription.id;
}
