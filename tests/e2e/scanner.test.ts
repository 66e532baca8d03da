import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { revokeDevice } from '@event-api/contracts/operator/devices';
import { launchBrowser, takePicture, violationsOf } from '@event-api/platform/testing/browser';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { writeFilm } from './camera-film.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { newScannerEvent, type ScannerEvent, typeBadge, verdictOf } from './scanner/event.ts';

let platform: PlatformFixture;
let browser: Browser;
let event: ScannerEvent;
/** The badge that the camera shows. */
let filmed: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  event = await newScannerEvent(platform);
  filmed = (await event.register('Grace Hopper')).checkinCode;
  const film = join(mkdtempSync(join(inject('runFolder'), 'camera-')), 'badge.y4m');
  writeFilm(film, filmed);
  browser = await launchBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]);
}, 600_000);
afterAll(async () => {
  await browser?.close();
});

let context: BrowserContext;
let page: Page;
let failures: string[];
beforeEach(async () => {
  failures = [];
  // The tests of this file replace responses, which they cannot with a service worker.
  context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    serviceWorkers: 'block',
  });
  page = await context.newPage();
  page.on('pageerror', (error) => failures.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) failures.push(message.text());
  });
});
afterEach(async () => {
  await context.close();
  expect(failures).toEqual([]);
});

/** Pairs the browser as a person does: with the link of the QR code. Returns the id of the device. */
async function pairBrowser(doors: ScannerEvent['entrance'][], showNames = false): Promise<string> {
  const { id, url } = await event.newDevice({ doors, showNames });
  await page.goto(url);
  return id;
}

const type = (code: string) => typeBadge(page, code);
const result = (title: string) => verdictOf(page, title);
/** Registers a person and returns the code of the badge. */
const register = async (name: string): Promise<string> => (await event.register(name)).checkinCode;

const picture = (name: string) => takePicture(page, `scanner-${name}`);

describe('the scanner', () => {
  test('pairs with the code of the link, which does not stay in the address', async () => {
    await pairBrowser([event.entrance, event.lounge]);
    await page.getByRole('heading', { name: 'Which door is this?' }).waitFor();
    expect(page.url()).toBe(`${platform.baseUrl}/scanner/`);
    await page.getByRole('button', { name: 'Lounge' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lounge' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Lounge' }).waitFor();
  });

  test('says that a code is not valid, and that a text is no code', async () => {
    await page.goto(`${platform.baseUrl}/scanner/#pc_live_${'0'.repeat(32)}`);
    await page.getByText('This code is not valid any more').waitFor();
    await page.getByLabel('Pairing code').fill('nonsense');
    await page.getByRole('button', { name: 'Pair' }).click();
    await page.getByText('A pairing code begins with pc_live_').waitFor();
  });

  test('reads the QR code of a badge with the camera, and once while the badge stays', async () => {
    await pairBrowser([event.entrance], true);
    await page.getByRole('button', { name: 'Use the camera' }).click();
    const welcome = result('Welcome').filter({ hasText: 'Grace Hopper' });
    await welcome.waitFor();
    await picture('welcome');
    // The verdict leaves by itself, and the badge is still in front of the camera.
    await welcome.waitFor({ state: 'detached' });
    await page.getByText('1 at this door · 1 in total').waitFor();
    expect(await page.locator('.result').count()).toBe(0);
    await page.getByRole('button', { name: 'Stop the camera' }).click();
    await type(filmed);
    await result('Already inside').waitFor();
    const { checkins } = await event.steps.get(`${event.path}/checkins`);
    expect(checkins).toHaveLength(1);
  });

  test('says what to tell the guest for each refusal, and shows no name without permission', async () => {
    await pairBrowser([event.lounge]);
    await type((await register('Ada Lovelace')).toLowerCase());
    await result('Not this door').filter({ hasText: 'Lounge access' }).waitFor();
    expect(await page.getByText('Ada Lovelace').count()).toBe(0);
    await picture('gate-closed');
    await type('CHK-0000000000000000');
    await result('Unknown badge').waitFor();
    await type('two words');
    await page.getByRole('button', { name: 'Next badge' }).click();
    await result('Unknown badge').waitFor({ state: 'detached' });
  });

  test('says that a badge was not checked while the platform does not respond and no roster was read', async () => {
    await page.route(/\/roster/, (route) => route.abort());
    await pairBrowser([event.entrance]);
    await page.getByLabel('Badge code').waitFor();
    const code = await register('Linus Late');
    await page.route(/\/v1\//, (route) => route.abort());
    await type(code);
    await result('Not checked').waitFor();
    await page
      .getByText('Offline: the platform does not respond. Badges cannot be checked.')
      .waitFor();
    await picture('offline-without-roster');
    await page.unroute(/\/v1\//);
    await type(code);
    await result('Welcome').waitFor();
    await page.getByText('Online', { exact: true }).waitFor();
  });

  test('records a person once when the response to a scan is lost', async () => {
    await pairBrowser([event.entrance]);
    await page.getByLabel('Badge code').waitFor();
    const code = await register('Mary Lost');
    let isLost = false;
    await page.route(/\/checkins$/, async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await type(code);
    // The retry gets the stored response of the first attempt: the person was not inside before.
    await result('Welcome').waitFor();
    expect(isLost).toBe(true);
  });

  test('checks both badges that a hardware scanner sends one after the other', async () => {
    await pairBrowser([event.entrance], true);
    const [first, second] = [await register('Una First'), await register('Duo Second')];
    await page.getByLabel('Badge code').waitFor();
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/checkins$/, async (route) => {
      await isReleased;
      await route.continue();
    });
    await type(first);
    await page.getByText('Checking …').waitFor();
    await type(second);
    release();
    await result('Welcome').filter({ hasText: 'Una First' }).waitFor();
    await result('Welcome').filter({ hasText: 'Duo Second' }).waitFor();
  });

  test('says that nothing was decided when the storage of the browser fails, and checks the badge again', async () => {
    await pairBrowser([event.entrance]);
    await page.getByText(/^Ready for offline/).waitFor();
    const code = await register('Sam Storage');
    await page.evaluate(`
      IDBDatabase.prototype.workingTransaction = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = () => { throw new Error('the disk is full'); };`);
    await type(code);
    await result('Not checked').waitFor();
    await page.evaluate(
      'IDBDatabase.prototype.transaction = IDBDatabase.prototype.workingTransaction; true',
    );
    await type(code);
    await result('Welcome').waitFor();
  });

  test('asks for a new pairing after the device was revoked', async () => {
    const id = await pairBrowser([event.entrance]);
    await page.getByLabel('Badge code').waitFor();
    await platform.operator.call(revokeDevice, { businessUnitId: event.unitId, id });
    await page.getByText('This device was revoked').waitFor();
    expect(await page.evaluate('localStorage.getItem("pairing")')).toBeNull();
  });

  test.each([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 390 },
  ] as const)('is accessible in $theme at $width pixels', async ({ theme, width }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${platform.baseUrl}/scanner/`);
    await page.getByRole('heading', { name: 'Pair this device' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await pairBrowser([event.entrance, event.lounge]);
    await page.getByRole('heading', { name: 'Which door is this?' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Event entrance' }).click();
    for (const [code, title] of [
      [await register(`Person ${theme}`), 'Welcome'],
      [filmed, 'Already inside'],
      ['CHK-0000000000000000', 'Unknown badge'],
    ] as const) {
      await type(code);
      await result(title).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await picture(`${title}-${theme}`);
    }
    const scrolls = await page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
    expect(scrolls).toBe(false);
  });
});
