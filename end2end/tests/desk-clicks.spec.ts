import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { runsScripts, signIn } from "../support/desk.js";
import type { Row, Service } from "../support/service.js";
import { expect, test } from "../support/test.js";

const TABLE = readFileSync(new URL("../../docs/desk.md", import.meta.url), "utf8").split("\n## Clicks\n")[1]!;
/** Tasks of the table in docs/desk.md, with the counts of the desk and of the best other tool. */
const COUNTS = new Map(
  [...TABLE.matchAll(/^\| (\S[^|]*) \| (\d+) \| (\d+|–) \|/gm)].map(([, task, own, best]) => [
    task!,
    { own: Number(own), best: best === "–" ? Infinity : Number(best) },
  ]),
);

/** Page on which clicks and keys are counted. A text typed into a field counts as one. */
class Counted {
  count = 0;

  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.count += 1;
    await what.click();
  }

  async press(key: string): Promise<void> {
    this.count += 1;
    await this.page.keyboard.press(key);
  }

  async type(field: Locator, text: string): Promise<void> {
    this.count += 1;
    await field.fill(text);
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole("link", { name, exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }
}

const tasks: string[] = [];

/** Declares the test of a task, whose counted part begins when `play` is called. */
function task(name: string, play: (counted: Counted, service: Service) => Promise<void>): void {
  tasks.push(name);
  test(`clicks: ${name}`, async ({ page, ownService }) => {
    const counted = new Counted(page);
    await play(counted, ownService);
    const { own, best } = COUNTS.get(name)!;
    expect(counted.count).toBe(own);
    expect(own).toBeLessThanOrEqual(best);
  });
}

/** Opens the queue, and waits until its scripts run. */
async function start(page: Page, service: Service, name = "Maria", scope: "moderate" | "admin" = "moderate") {
  await signIn(page, service, name, scope);
  await runsScripts(page);
}

/** Pending reports, which come after one from France. */
function reports(count: number, city = "Santos"): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${city}-${index + 1}`,
    type: "water",
    city,
    country: "Brazil",
  }));
}

const told = (page: Page) => page.locator(".told, .done").filter({ hasText: /\S/ });

task("Sign in", async (counted, service) => {
  const { page } = counted;
  const key = await service.operatorsKey("Maria", "moderate");
  await page.goto(`${service.operatorsBase}/desk`);
  await counted.type(page.getByLabel("Your key"), key);
  await counted.press("Enter");
  await expect(page.getByRole("heading", { name: "Queue" })).toBeVisible();
});

task("Decide on 50 reports, one by one", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(51));
  await start(page, service);
  // The focus then is on the next report, so that keys act.
  await counted.click(counted.button("Approve Santos-51"));
  for (let decided = 1; decided < 50; decided += 1) {
    await expect(page.locator(`[data-id="Santos-${51 - decided}"]`)).toBeFocused();
    await counted.press(decided % 2 === 0 ? "a" : "r");
  }
  await expect(page.locator(".waiting")).toHaveText("2 reports wait for a decision.");
});

task("Approve 50 reports at once", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(50));
  await start(page, service);
  await counted.click(page.locator(".bulk .every"));
  await counted.click(counted.button("Approve selected"));
  await expect(told(page)).toHaveText("Approved 50 reports.");
});

task("Narrow the list to a country", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(3));
  await start(page, service);
  await counted.click(counted.link("Brazil 3"));
  await expect(page.locator(".waiting")).toHaveText("3 reports match.");
});

task("Correct the city of 30 reports", async (counted, service) => {
  const { page } = counted;
  await service.import([...reports(1), ...reports(30, "Santoss")]);
  await start(page, service);
  await counted.click(counted.link("Places spelled in two ways"));
  await counted.click(counted.link("Keep this: Santos, Brazil"));
  await counted.click(counted.button("Correct 30 reports"));
  await expect(told(page)).toHaveText("Corrected 30 reports.");
});

task("Undo a decision", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(2));
  await start(page, service);
  await page.getByRole("button", { name: "Approve Santos-2" }).click();
  await expect(told(page)).toHaveText("Approved Santos-2.");
  await counted.press("u");
  await expect(told(page)).toHaveText("Undone: 1 report waits for a decision again.");
});

task("Decide on the same report as somebody else", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(2));
  await start(page, service);
  // The page does not get this update, as if both decided at the same moment.
  await page.route("**/desk/do/look", (route) => route.fulfill({ json: null }));
  await service.svc("reports", "approve", "Santos-2");
  await counted.click(counted.button("Reject Santos-2"));
  await expect(told(page)).toHaveText(/^Santos-2: .+ approved it on /);
});

task("Approve 4,000 reports at once", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(3_999));
  await start(page, service);
  await counted.click(counted.link("Approve 4,000 reports …"));
  await counted.click(counted.button("Approve 4,000 reports"));
  await expect(told(page)).toHaveText("Approved 4,000 reports.");
});

task("Withdraw an import, and publish it again", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(30), "--approve");
  await start(page, service);
  await counted.click(counted.link("Imports"));
  await counted.click(page.locator(".imports a").first());
  await counted.click(counted.link(/^Withdraw /));
  await counted.click(counted.button("Withdraw 30 reports"));
  await expect(told(page)).toHaveText("Withdrew 30 reports.");
  await counted.click(counted.link(/^Publish /));
  await counted.click(counted.button("Publish 30 reports again"));
  await expect(told(page)).toHaveText("Published 30 reports again.");
});

task("Sign somebody out", async (counted, service) => {
  const { page } = counted;
  const jo = await (await page.context().browser()!.newContext()).newPage();
  await signIn(jo, service, "Jo");
  await start(page, service, "Ada", "admin");
  await counted.click(counted.link("Overview"));
  await counted.click(counted.link("Manage keys and sessions"));
  await counted.click(counted.button("Sign Jo out"));
  await expect(told(page)).toHaveText("The session has ended.");
  await jo.reload();
  await expect(jo.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await jo.context().close();
});

task("Find out who approved a report", async (counted, service) => {
  const { page } = counted;
  await service.import(reports(60));
  await start(page, service);
  await page.getByRole("button", { name: "Approve Santos-60" }).click();
  await expect(told(page)).toHaveText("Approved Santos-60.");
  await page.reload();
  await counted.click(counted.link("Audit"));
  await counted.type(page.getByLabel("Report, import, key or webhook"), "Santos-60");
  await counted.press("Enter");
  await expect(page.locator(".history > li").first()).toContainText("Maria approved Santos-60");
});

test("the table of clicks has all of these tasks, and no others", () => {
  expect([...COUNTS.keys()]).toEqual(tasks);
});
