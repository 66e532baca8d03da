import { launchBrowser } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInAs } from './console/operator.ts';
import { type CellName, type Cells, cellNames, pathOf, startCells } from './fixtures/cells.ts';
import { openScanner, unsent } from './scanner/device.ts';
import { newScannerEvent, type ScannerEvent } from './scanner/event.ts';
import { recordVerdicts, scanBadge, scanOffline } from './scanner/scan.ts';

let cells: Cells;
let browser: Browser;
beforeAll(async () => {
  cells = await startCells({ consoles: ['eu2'] });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await cells?.stop();
});

/** An event of a cell with one person, whose requests go through the proxy. */
async function newDoor(name: CellName) {
  const { operator, newKey } = cells.platformOf(name);
  const event = await newScannerEvent({ baseUrl: cells.proxy.url, operator, newUnit: newKey });
  const person = await event.register(`Visitor of ${name}`);
  const { url } = await event.newDevice({ doors: [event.entrance] });
  const address = `${cells.proxy.url}${pathOf(name)}/scanner/`;
  return { name, event, person, address, paired: `${address}${new URL(url).hash}` };
}

const admissions = async (event: ScannerEvent, { id }: { id: string }) =>
  (await event.checkinsOf(id)).length;

const isReady = (page: Page) => page.getByText(/^Ready for offline/).waitFor();

test('one browser is paired with a door of each cell, and each cell gets the scans of its own', async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  await recordVerdicts(context);
  const failures: string[] = [];
  const doors = [];
  for (const name of cellNames) doors.push(await newDoor(name));
  const open = (url: string) => openScanner({ context, failures }, url);
  for (const { paired } of doors) {
    const page = await open(paired);
    await isReady(page);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.close();
  }
  // Each opens with its own pairing, its own list and its own files, without a network.
  await context.setOffline(true);
  const pages: Page[] = [];
  for (const { address } of doors) pages.push(await open(address));
  for (const [place, { event, person }] of doors.entries()) {
    const page = pages[place] as Page;
    await scanOffline(page, person.checkinCode, 'Welcome');
    const other = doors[1 - place];
    await scanOffline(page, other?.person.checkinCode ?? '', 'Unknown badge');
    await unsent(page, 2).waitFor();
    expect(await admissions(event, person)).toBe(0);
  }
  await context.setOffline(false);
  for (const [place, { event, person }] of doors.entries()) {
    await unsent(pages[place] as Page, 2).waitFor({ state: 'detached' });
    await eventually(async () => expect(await admissions(event, person)).toBe(1));
    expect((await scanBadge(pages[place] as Page, person.checkinCode)).kind).toBe('already');
  }
  expect(failures).toEqual([]);
  await context.close();
});

test('the console of a cell names it, creates a key that names it, and has the key in its audit log', async () => {
  const platform = cells.platformOf('eu2');
  const { unitId } = await platform.newUnit();
  const { page, failures } = await signInAs(platform, browser, { unitId, role: 'owner' });
  await page.getByText('Unit · cell eu2').first().waitFor();
  await page.goto(`${platform.consoleUrl}/u/${unitId}/keys`);
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New key' });
  await dialog.getByLabel('Name', { exact: true }).fill('Box office');
  await dialog.getByRole('checkbox', { name: /^Permit everything/ }).check();
  const created = page.waitForResponse(/operator\/key\.create$/);
  await dialog.getByRole('button', { name: 'Create an unrestricted key' }).click();
  const { secret } = await (await created).json();
  expect(secret).toMatch(/^sk_live_eu2_[0-9A-Za-z]{32}$/);
  await page.getByRole('dialog').getByText(secret).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page
    .getByRole('row', { name: /Box office/ })
    .getByText('sk_live_eu2_')
    .waitFor();

  const headers = { authorization: `Bearer ${secret}` };
  expect((await fetch(`${cells.proxy.url}/v1/events`, { headers })).status).toBe(200);
  await page.goto(`${platform.consoleUrl}/u/${unitId}/audit`);
  await page
    .locator('main')
    .getByText(/API key.*Box office/)
    .first()
    .waitFor();
  expect(failures).toEqual([]);
  await page.context().close();
});
