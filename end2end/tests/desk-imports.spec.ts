import { violations } from "../support/axe.js";
import { alternately, downloaded, expectIds, signIn } from "../support/desk.js";
import type { Row } from "../support/service.js";
import { expect, test } from "../support/test.js";

alternately((javaScriptEnabled) => {
  test("a file is imported, and refused rows are shown and downloaded", async ({ page, ownService }) => {
    await signIn(page, ownService);
    await page.getByRole("link", { name: "Imports" }).click();
    const file = "id,type,city,country,People\nf-1,spirit,Recife,Brazil,17\nf-2,wine,Recife,Brazil,1\n";
    const buffer = Buffer.from(file);
    await page.getByLabel("File").setInputFiles({ name: "day.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Upload" }).click();
    await expect(page.getByRole("heading", { name: "day.csv" })).toBeVisible();
    await expect(page.getByText("2 rows: 1 new, 0 there already, 1 refused.")).toBeVisible();
    await expect(page.getByText('the column "People" is not used')).toBeVisible();
    if (javaScriptEnabled) {
      expect(await violations(page)).toEqual([]);
    }
    await page.locator(`select[name="column.People"]`).selectOption("peopleCount");
    await page.getByRole("button", { name: "Show the preview" }).click();
    await expect(page.getByRole("cell", { name: "17", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Import 1 report" }).click();
    await expect(page.getByRole("heading", { name: "Its reports now" })).toBeVisible();
    await expect(page.getByRole("cell", { name: "wine", exact: true })).toBeVisible();
    const refused = await downloaded(page, "Download them");
    expect(refused.split("\n")[0]).toBe("refusedBecause,id,type,city,country,People");
    await page.getByRole("link", { name: "1 pending", exact: true }).click();
    await expectIds(page, ["f-1"]);
  });

  test("a withdrawn import is published again, and a rejected one waits again", async ({ page, ownService }) => {
    const report = (id: string): Row => ({ id, type: "water", city: "Recife", country: "Brazil" });
    await ownService.import([report("a-1"), report("a-2")]);
    await ownService.import([report("b-1"), report("b-2")]);
    await signIn(page, ownService);
    const open = async (import_: number) => {
      await page.getByRole("link", { name: "Imports", exact: true }).click();
      await page.locator(".imports a").nth(import_).click();
    };
    const decide = async (act: string, confirm: string, done: string) => {
      await page.getByRole("link", { name: act }).click();
      await expect(page.locator(".confirm .hint")).toBeVisible();
      await page.getByRole("button", { name: confirm }).click();
      await expect(page.locator(".done")).toHaveText(done);
    };
    await open(1);
    await decide("Approve the 2 pending …", "Approve 2 reports", "Approved 2 reports.");
    await decide("Withdraw the 2 approved …", "Withdraw 2 reports", "Withdrew 2 reports.");
    await decide("Publish again the 2 withdrawn …", "Publish 2 reports again", "Published 2 reports again.");
    await page.getByRole("link", { name: "2 approved", exact: true }).click();
    await expectIds(page, ["a-2", "a-1"]);
    await open(0);
    await decide("Reject the 2 pending …", "Reject 2 reports", "Rejected 2 reports.");
    await decide("Return the 2 rejected to pending …", "Reopen 2 reports", "Reopened 2 reports.");
    await page.getByRole("link", { name: "2 pending", exact: true }).click();
    await expectIds(page, ["b-2", "b-1"]);
  });
});
