import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { revokeDevice } from '@event-api/contracts/operator/devices';
import { launchBrowser, takePicture, violationsOf } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import type { Browser, Page } from 'playwright-core';
import { afterAll, test as base, beforeAll, describe, expect, inject } from 'vitest';
import { writeFilm } from './camera-film.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { newScannerEvent, type Person, type ScannerEvent } from './scanner/event.ts';
import { recordVerdicts, scanBadge, typeBadge, verdictsOf } from './scanner/scan.ts';

let platform: PlatformFixture;
let browser: Browser;
/** The event of all tests but that of the camera, which counts its check-ins. */
let event: ScannerEvent;
let filmedEvent: ScannerEvent;
/** The person whose badge the camera shows. */
let filmed: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  [event, filmedEvent] = await Promise.all([newScannerEvent(platform), newScannerEvent(platform)]);
  filmed = await filmedEvent.register('Grace Hopper');
  const film = join(mkdtempSync(join(inject('runFolder'), 'camera-')), 'badge.y4m');
  writeFilm(film, filmed.checkinCode);
  browser = await launchBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]);
}, 600_000);
afterAll(async () => {
  await browser?.close();
});

/** A browser that is not paired yet. */
interface Scanner {
  page: Page;
  /**
   * Pairs the browser as a person does: with the link of the QR code. Returns the id of the device.
   */
  pair(doors: ScannerEvent['entrance'][], options?: PairOptions): Promise<string>;
  /** Shows a badge and expects a verdict with this title. */
  scan(code: string, title: string): Promise<void>;
  picture(name: string): Promise<unknown>;
}

interface PairOptions {
  showNames?: boolean;
  of?: ScannerEvent;
}

const test = base.extend<{ scanner: Scanner }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that a fixture needs from this pattern.
  scanner: async ({}, use) => {
    const failures: string[] = [];
    // The tests of this file replace responses, which they cannot with a service worker.
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      serviceWorkers: 'block',
    });
    await recordVerdicts(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) failures.push(message.text());
    });
    await use({
      page,
      async pair(doors, { showNames = false, of = event } = {}) {
        const { id, url } = await of.newDevice({ doors, showNames });
        await page.goto(url);
        return id;
      },
      async scan(code, title) {
        expect((await scanBadge(page, code)).text).toContain(title);
      },
      picture: (name) => takePicture(page, `scanner-${name}`),
    });
    await context.close();
    expect(failures).toEqual([]);
  },
});

/** Registers a person and returns the code of the badge. */
const register = async (name: string): Promise<string> => (await event.register(name)).checkinCode;

describe.concurrent('the scanner', () => {
  test('pairs with the code of the link, which does not stay in the address', async ({
    scanner,
  }) => {
    const { page, pair } = scanner;
    await pair([event.entrance, event.lounge]);
    await page.getByRole('heading', { name: 'Which door is this?' }).waitFor();
    expect(page.url()).toBe(`${platform.baseUrl}/scanner/`);
    await page.getByRole('button', { name: 'Lounge' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lounge' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Lounge' }).waitFor();
  });

  test('pairs with the short code beside the QR, in any case and without its dash, once', async ({
    scanner,
  }) => {
    const { page } = scanner;
    const { shortCode } = await event.newDevice({ doors: [event.entrance] });
    const enter = async (code: string) => {
      await page.getByLabel('Pairing code').fill(code);
      await page.getByRole('button', { name: 'Pair', exact: true }).click();
    };
    await page.goto(`${platform.baseUrl}/scanner/`);
    await enter(shortCode.replace('-', '').toLowerCase());
    await page.getByRole('heading', { level: 1, name: 'Entrance of the event' }).waitFor();
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await enter(shortCode);
    await page.getByText('This code is not valid any more').waitFor();
  });

  test('says that the former badge of a ticket was let in, under the name of the new person', async ({
    scanner,
  }) => {
    const { id, checkinCode } = await event.register('Former Owner');
    await scanner.pair([event.entrance], { showNames: true });
    await scanner.scan(checkinCode, 'Welcome');
    const heir = { name: 'New Owner', email: 'new.owner@example.com' };
    const changed = await event.steps.patch(`${event.path}/registrations/${id}`, heir);
    expect(changed.checkedIn).toBe(true);
    const { kind, text } = await scanBadge(scanner.page, changed.checkinCode);
    expect(kind).toBe('already');
    expect(text).toMatch(/New Owner.*The former badge of this ticket was let in at/);
    expect(text).not.toContain('This badge');
    await scanner.picture('former-badge');
  });

  test('notes that the event is not published or that it is no day of it, and lets the person in', async ({
    scanner,
  }) => {
    const other = await newScannerEvent(platform);
    const days = { startsAt: '2100-05-10T07:00:00Z', endsAt: '2100-05-11T16:00:00Z' };
    await other.steps.patch(other.path, { ...days, confirmAgendaReset: true });
    const { checkinCode: code } = await other.register('Nora Notice');
    await scanner.pair([other.entrance], { of: other });
    const { kind, text } = await scanBadge(scanner.page, code);
    expect(kind).toBe('admitted');
    expect(text).toContain('Note: this is not a day of the event.');
  });

  test('says that a code is not valid, and that a text is no code', async ({ scanner }) => {
    const { page } = scanner;
    await page.goto(`${platform.baseUrl}/scanner/#pc_live_${'0'.repeat(32)}`);
    await page.getByText('This code is not valid any more').waitFor();
    await page.getByLabel('Pairing code').fill('nonsense');
    await page.getByRole('button', { name: 'Pair' }).click();
    await page.getByText('A short code has 8 letters and digits').waitFor();
  });

  test('reads the QR code of a badge with the camera, and once while the badge stays', async ({
    scanner,
  }) => {
    const { page, pair, picture, scan } = scanner;
    await pair([filmedEvent.entrance], { showNames: true, of: filmedEvent });
    await page.getByRole('button', { name: 'Use the camera' }).click();
    const welcome = expect.stringMatching(/Welcome.*Grace Hopper/);
    const verdict = { kind: 'admitted', text: welcome };
    await eventually(async () => expect(await verdictsOf(page)).toEqual([verdict]));
    await picture('welcome');
    // The verdict leaves by itself, and the badge is still in front of the camera.
    await page.locator('.result').waitFor({ state: 'detached' });
    await page.getByText('1 at this door · 1 in total').waitFor();
    expect(await verdictsOf(page)).toEqual([verdict]);
    await page.getByRole('button', { name: 'Stop the camera' }).click();
    await scan(filmed.checkinCode, 'Already inside');
    const { checkins } = await filmedEvent.steps.get(`${filmedEvent.path}/checkins`);
    expect(checkins).toHaveLength(1);
  });

  test('keeps the camera off, and says so, when its reader of codes cannot be loaded', async ({
    scanner,
  }) => {
    const { page, pair } = scanner;
    await page.addInitScript(
      `globalThis.BarcodeDetector = { getSupportedFormats: () => Promise.reject(new Error('away')) };
      navigator.mediaDevices.getUserMedia = () => { throw new Error('the camera is on'); };`,
    );
    await pair([event.entrance]);
    await page.getByRole('button', { name: 'Use the camera' }).click();
    await page.getByText('The reader of codes cannot be loaded').waitFor();
    await page.getByRole('button', { name: 'Use the camera' }).waitFor();
  });

  test('says what to tell the guest for each refusal, and shows no name without permission', async ({
    scanner,
  }) => {
    const { page, pair, picture, scan } = scanner;
    await pair([event.lounge]);
    await scan((await register('Ada Lovelace')).toLowerCase(), 'Not this door');
    await page.locator('.result').filter({ hasText: 'Lounge access' }).waitFor();
    expect(await page.getByText('Ada Lovelace').count()).toBe(0);
    await picture('gate-closed');
    await scan('CHK-0000000000000000', 'Unknown badge');
    await scan('WIFI:S:Guest Net;;', 'Unknown badge');
    await scan('x'.repeat(300), 'Unknown badge');
    await page.getByRole('button', { name: 'Next badge' }).click();
    await page.locator('.result').waitFor({ state: 'detached' });
  });

  test('says that a badge was not checked while the platform does not respond and no roster was read', async ({
    scanner,
  }) => {
    const { page, pair, picture, scan } = scanner;
    await page.route(/\/roster/, (route) => route.abort());
    await pair([event.entrance]);
    await page.getByLabel('Badge code').waitFor();
    const code = await register('Linus Late');
    await page.route(/\/v1\//, (route) => route.abort());
    await scan(code, 'Not checked');
    await page
      .getByText('Offline: the platform does not respond. Badges cannot be checked.')
      .waitFor();
    await picture('offline-without-roster');
    await page.unroute(/\/v1\//);
    await scan(code, 'Welcome');
    await page.getByText('Online', { exact: true }).waitFor();
  });

  test('records a person once when the response to a scan is lost', async ({ scanner }) => {
    const { page, pair, scan } = scanner;
    await pair([event.entrance]);
    await page.getByLabel('Badge code').waitFor();
    const code = await register('Mary Lost');
    let isLost = false;
    await page.route(/\/checkins$/, async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    // The retry gets the stored response of the first attempt: the person was not inside before.
    await scan(code, 'Welcome');
    expect(isLost).toBe(true);
  });

  test('checks every badge that a hardware scanner sends, in order, faster than the platform responds', async ({
    scanner,
  }) => {
    const { page, pair } = scanner;
    await pair([event.entrance], { showNames: true });
    const names = ['Una', 'Duo', 'Tria', 'Quad', 'Penta', 'Hexa'];
    const codes = await Promise.all(names.map((name) => register(`${name} Quick`)));
    await page.getByLabel('Badge code').waitFor();
    const response = Promise.withResolvers<void>();
    await page.route(/\/checkins$/, async (route) => {
      await response.promise;
      await route.continue();
    });
    const [first = '', ...others] = codes;
    await typeBadge(page, first);
    await page.getByText('Checking …').waitFor();
    // Other scanners name the symbology first, and end a code with Tab.
    for (const code of others) {
      await page.keyboard.type(`]Q1${code}`);
      await page.keyboard.press('Tab');
    }
    response.resolve();
    const expected = names.map((name) => ({
      kind: 'admitted',
      text: expect.stringMatching(`Welcome.*${name} Quick`),
    }));
    await eventually(async () => expect(await verdictsOf(page)).toEqual(expected));
    expect(await page.getByText(/badges? waits?$/).count()).toBe(0);
  });

  test('refuses a badge aloud while too many others wait, and forgets none of them', async ({
    scanner,
  }) => {
    const { page, pair, picture } = scanner;
    await pair([event.entrance]);
    await page.getByLabel('Badge code').waitFor();
    const response = Promise.withResolvers<void>();
    await page.route(/\/checkins$/, async (route) => {
      await response.promise;
      await route.fulfill({
        status: 404,
        json: { error: { details: [{ field: 'checkinCode' }] } },
      });
    });
    await typeBadge(page, 'CHK-FIRST');
    await page.getByText('Checking …').waitFor();
    // At once: a busy machine types slower than the scan waits for its response.
    await page.evaluate(`{
      const input = document.querySelector('#badge');
      for (let n = 1; n <= 21; n++) {
        input.value = 'CHK-' + n;
        input.form.requestSubmit();
      }
    }`);
    await page.getByRole('alert').filter({ hasText: 'Scan CHK-21 again' }).waitFor();
    await page.getByText('20 badges wait').waitFor();
    await picture('waiting');
    response.resolve();
    await eventually(async () => expect(await verdictsOf(page)).toHaveLength(21));
  });

  test('leaves out the text that a scanner is set to type before each code', async ({
    scanner,
  }) => {
    const { page, pair, scan, picture } = scanner;
    await pair([event.entrance]);
    const code = await register('Prue Prefix');
    await page.getByText('Hardware scanner', { exact: true }).click();
    await page.getByLabel('Other text before each code').fill('SCAN:');
    await page.getByLabel('Try it').fill(`scan:${code.toLowerCase()}`);
    await page.getByText(`Read as ${code}`).waitFor();
    await picture('hardware');
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByLabel('Badge code').focus();
    await scan(`SCAN:${code}`, 'Welcome');
  });

  test('says that nothing was decided when the storage of the browser fails, and checks the badge again', async ({
    scanner,
  }) => {
    const { page, pair, scan } = scanner;
    await pair([event.entrance]);
    await page.getByText(/^Ready for offline/).waitFor();
    const code = await register('Sam Storage');
    await page.evaluate(`
      IDBDatabase.prototype.workingTransaction = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = () => { throw new Error('the disk is full'); };`);
    await scan(code, 'Not checked');
    await page.evaluate(
      'IDBDatabase.prototype.transaction = IDBDatabase.prototype.workingTransaction; true',
    );
    await scan(code, 'Welcome');
  });

  test('asks for a new pairing after the device was revoked', async ({ scanner }) => {
    const { page, pair } = scanner;
    const id = await pair([event.entrance]);
    await page.getByLabel('Badge code').waitFor();
    await platform.operator.call(revokeDevice, { businessUnitId: event.unitId, id });
    await page.getByText('This device was revoked').waitFor();
    expect(await page.evaluate('localStorage.getItem("pairing")')).toBeNull();
  });

  test.for([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 390 },
  ] as const)('is accessible in $theme at $width pixels', async ({ theme, width }, { scanner }) => {
    const { page, pair, picture, scan } = scanner;
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${platform.baseUrl}/scanner/`);
    await page.getByRole('heading', { name: 'Pair this device' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await pair([event.entrance, event.lounge]);
    await page.getByRole('heading', { name: 'Which door is this?' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Entrance of the event' }).click();
    const inside = await register(`Inside ${theme}`);
    const checkin = { checkinCode: inside, subjectType: 'event' };
    await event.steps.create(`${event.path}/checkins`, checkin);
    for (const [code, title] of [
      [await register(`Person ${theme}`), 'Welcome'],
      [inside, 'Already inside'],
      ['CHK-0000000000000000', 'Unknown badge'],
    ] as const) {
      await scan(code, title);
      expect(await violationsOf(page)).toEqual([]);
      await picture(`${title}-${theme}`);
    }
    const scrolls = await page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
    expect(scrolls).toBe(false);
  });
});
