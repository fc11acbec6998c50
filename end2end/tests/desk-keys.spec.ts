import { alternately, enter, other, signIn } from "../support/desk.js";
import { expect, test } from "../support/test.js";

alternately(() => {
  test("an administrator creates a key and revokes it", async ({ browser, page: ada, ownService }) => {
    await signIn(ada, ownService, "Ada", "admin");
    await ada.getByRole("link", { name: "Overview" }).click();
    await ada.getByRole("link", { name: "Manage keys and sessions" }).click();
    await ada.getByLabel("Name").fill("Jo");
    await ada.getByRole("combobox", { name: /^For/ }).selectOption("operator:moderate");
    await ada.getByRole("button", { name: "Create" }).click();
    await expect(ada.getByRole("heading", { name: "The new key of Jo" })).toBeVisible();
    const key = (await ada.locator(".issued code").textContent()) ?? "";
    await ada.reload();
    await expect(ada.locator(".entries > li", { hasText: "Jo" })).toHaveCount(1);
    await expect(ada.locator("main")).not.toContainText(key);

    const jo = await other(browser);
    await jo.goto(`${ownService.operatorsBase}/desk`);
    await enter(jo, key);

    const entry = ada.locator(".entries > li", { hasText: "Jo" }).first();
    await entry.getByText("Revoke", { exact: true }).click();
    await entry.getByRole("button", { name: "Revoke svc_" }).click();
    await expect(ada.getByRole("status")).toHaveText(`The key ${key.slice(0, 12)} is revoked.`);
    await jo.reload();
    await expect(jo.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await jo.context().close();
  });
});
