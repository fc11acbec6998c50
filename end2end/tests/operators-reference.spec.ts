import { overflow, violations } from "../support/axe.js";
import { expect, test } from "../support/test.js";

test("the reference of the operators' API does what it is told with a key", async ({ page, ownService }) => {
  const place = { city: "Campinas", region: "São Paulo", country: "Brazil" };
  await ownService.import([
    { id: "w-1", type: "spirit", ...place },
    { id: "w-3", type: "water", ...place },
  ]);
  const key = await ownService.operatorsKey("Script", "moderate");
  await page.goto(`${ownService.operatorsBase}/docs/operator`);
  await page.getByLabel("Key of the tier operator").fill(key);
  const list = page.locator("#listAllReports");
  await list.getByLabel("type choice").selectOption("water");
  await list.getByRole("button", { name: "Send" }).click();
  await expect(list.getByRole("status")).toHaveText("200 OK");
  await expect(list.locator(".answer pre")).toContainText('"id": "w-3"');
  await expect(list.locator(".answer pre")).not.toContainText('"id": "w-1"');
  const one = page.locator("#correctReport");
  await one.getByLabel("id").fill("w-3");
  await one.getByLabel("body").fill('{ "peopleCount": 13 }');
  await one.getByRole("button", { name: "Send" }).click();
  await expect(one.locator(".answer pre")).toContainText('"peopleCount": 13');
  await expect(one.locator(".answer pre")).toContainText('"actor": "Script"');
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the operators' reference in ${colorScheme}, and nothing is cut off`, async ({
    page,
    ownService,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${ownService.operatorsBase}/docs/operator`);
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await violations(page), `${width}`).toEqual([]);
      expect(await overflow(page), `${width}`).toBe(0);
    }
  });
}
