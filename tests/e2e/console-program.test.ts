import { readFileSync } from 'node:fs';
import { readPdf } from '@event-api/platform/testing/badges';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, signInAs, waitUntilComplete } from './console/operator.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { rawClient } from './raw-client.ts';

/** The journeys through files run with `npm run test:full`. */
const isFull = process.env.TEST_SIZE === 'full';

let platform: PlatformFixture;
let browser: Browser;
let operator: Operator;
let page: Page;
let eventPath: string;
/** Sends a request as an integrator of the unit does. */
// biome-ignore lint/suspicious/noExplicitAny: the tests read fields of records.
let send: (method: string, path: string, body?: object) => Promise<any>;
let apiPath: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  const request = rawClient(platform.baseUrl, secret);
  send = async (method, path, body) => {
    const response = await request({ method, path, ...(body && { body: JSON.stringify(body) }) });
    expect(response.status, response.body).toBeLessThan(300);
    return JSON.parse(response.body);
  };
  const event = await send('POST', '/v1/events', {
    name: 'Summit',
    timezone: 'Europe/Berlin',
    startsAt: '2027-05-10T09:00:00+02:00',
    endsAt: '2027-05-11T18:00:00+02:00',
  });
  apiPath = `/v1/events/${event.id}`;
  await send('PATCH', apiPath, { status: 'published' });
  for (const name of ['Seat', 'Student']) {
    const { id } = await send('POST', `${apiPath}/ticket-types`, { name });
    await send('PATCH', `${apiPath}/ticket-types/${id}`, { status: 'open' });
    if (name === 'Student') continue;
    const person = { email: 'ada@example.com', name: 'Ada Lovelace', registrationTypeId: id };
    await send('POST', `${apiPath}/registrations`, person);
    await send('POST', `${apiPath}/redemption-codes`, { registrationTypeId: id, code: 'SPEAKER' });
  }
  operator = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = operator.page;
  eventPath = `/u/${unitId}/events/${event.id}`;
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
});

const open = (path: string): Promise<void> => operator.visit(`${eventPath}/${path}`);

async function reload(): Promise<void> {
  await page.reload();
  await waitUntilComplete(page);
}

/** Adds a record with the dialog behind a button. */
async function add(button: string, fields: Record<string, string>, submit: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click();
  // A message of an earlier action may still be shown. It is a dialog, too, but not a modal one.
  const dialog = page.locator('[role="dialog"]:not([aria-modal="false"])');
  for (const [label, value] of Object.entries(fields)) {
    await dialog.getByLabel(label, { exact: true }).fill(value);
  }
  await dialog.getByRole('button', { name: submit }).click();
  await dialog.waitFor({ state: 'detached' });
}

const cell = (row: string, perk: string) => page.getByRole('checkbox', { name: `${row}: ${perk}` });

describe('the program', () => {
  test('is empty at first, and takes rooms, sessions and speakers', async () => {
    await open('program');
    await page.getByText('The agenda is empty').waitFor();
    await page.getByRole('link', { name: 'Rooms' }).click();
    await page.getByText('No rooms yet').waitFor();
    for (const room of ['Main hall', 'Lounge']) {
      await add('Add a room', { Name: room }, 'Create the room');
    }
    await page.getByRole('link', { name: 'Agenda' }).click();
    await add('Add a session', { Title: 'Opening' }, 'Create the session');
    const opening = page.getByRole('button', { name: /^Opening 09:00 – 10:00/ });
    await opening.waitFor();
    await page.getByText('CEST', { exact: true }).waitFor();
    expect(await opening.getAttribute('title')).toMatch(/^Your time: .+ – /);
    await page.getByRole('link', { name: 'Speakers' }).click();
    await page.getByRole('button', { name: 'Add a speaker' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Grace Hopper');
    await dialog.getByRole('checkbox', { name: /Opening/ }).check();
    await dialog.getByRole('button', { name: 'Create the speaker' }).click();
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
  });

  test('is moved with the keyboard and undone', async () => {
    await open('program');
    const opening = page.getByRole('button', { name: /^Opening/ });
    await opening.focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByText('Opening: 09:00 – 10:00').waitFor();
    // In another room it is another element, which has the focus.
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('button', { name: /^Opening 09:15 – 10:15/ }).waitFor();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await page.getByRole('button', { name: /^Opening 09:15 – 10:30/ }).waitFor();
    await page.getByText('Opening: 09:15 – 10:30').waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await page.getByRole('button', { name: /^Opening 09:15 – 10:15/ }).waitFor();
    await expect
      .poll(() => send('GET', `${apiPath}/sessions`))
      .toMatchObject({
        sessions: [{ startsAt: '2027-05-10T07:15:00.000Z', endsAt: '2027-05-10T08:15:00.000Z' }],
      });
  });

  test('is moved with the mouse into another room, and the move stays after a reload', async () => {
    await open('program');
    const opening = page.getByRole('button', { name: /^Opening/ });
    const from = await opening.boundingBox();
    const target = await page.getByRole('heading', { name: 'Lounge', exact: true }).boundingBox();
    if (!from || !target) throw new Error('the grid is not shown');
    await page.mouse.move(from.x + 20, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y + 40, { steps: 3 });
    await page.mouse.move(target.x + 20, from.y + 20 + 64, { steps: 5 });
    await page.mouse.up();
    await page.getByText('Opening: 10:15 – 11:15').waitFor();
    await reload();
    await page.getByRole('button', { name: /^Opening 10:15 – 11:15/ }).waitFor();
    const { venues } = await send('GET', `${apiPath}/venues`);
    const { sessions } = await send('GET', `${apiPath}/sessions`);
    expect(sessions[0].venueId).toBe(
      venues.find((each: { name: string }) => each.name === 'Lounge').id,
    );
  });

  test('outlines sessions that need one room at the same time', async () => {
    await page.getByRole('button', { name: 'Add a session' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title', { exact: true }).fill('Clash');
    await dialog.getByLabel(/^Starts/).fill('2027-05-10T10:30');
    await dialog.getByLabel(/^Ends/).fill('2027-05-10T11:00');
    await dialog.getByLabel(/^Room/).selectOption({ label: 'Lounge' });
    await dialog.getByRole('button', { name: 'Create the session' }).click();
    for (const title of ['Opening', 'Clash']) {
      const name = new RegExp(`^${title}.*Another session is in this room`);
      await page.getByRole('button', { name }).waitFor();
    }
  });

  test('is a list on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('program');
    await page.getByRole('list', { name: 'Agenda' }).getByText('Clash').click();
    await page.getByRole('dialog', { name: 'Edit Clash' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete Clash' }).click();
    await page.getByText('Clash is deleted').first().waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('perks and gates', () => {
  test('are marked cell by cell, say who gets in, and are undone', async () => {
    await open('perks');
    await page.getByText('No perks yet').waitFor();
    await add('Add a perk', { Name: 'Networking' }, 'Create the perk');
    await cell('Seat', 'Networking').check();
    await page.getByText('Seat delivers Networking').waitFor();
    const lounge = page.getByRole('row', { name: /^Lounge/ });
    await lounge.getByText('Everyone').waitFor();
    // The column follows the mark, also while it is being saved.
    const held = Promise.withResolvers<void>();
    await page.route('**/operator/venue.update', async (route) => {
      await held.promise;
      await route.continue();
    });
    await cell('Lounge', 'Networking').check();
    await lounge.getByRole('cell', { name: 'Seat', exact: true }).waitFor();
    held.resolve();
    await page.getByText('Networking opens Lounge').first().waitFor();
    await page.unroute('**/operator/venue.update');
    await cell('Student', 'Networking').check();
    await lounge.getByRole('cell', { name: 'Seat, Student', exact: true }).waitFor();
    await page.getByText('Student delivers Networking').waitFor();
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await lounge.getByRole('cell', { name: 'Seat', exact: true }).waitFor();
    await reload();
    expect(await cell('Seat', 'Networking').isChecked()).toBe(true);
    expect(await cell('Student', 'Networking').isChecked()).toBe(false);
    expect(await cell('Lounge', 'Networking').isChecked()).toBe(true);
  });

  test('bind a code, which stays in the table', async () => {
    await page.getByRole('combobox', { name: 'Type a code' }).fill('speaker');
    await page.getByRole('button', { name: 'Add a code to the table' }).click();
    await cell('SPEAKER', 'Networking').check();
    await page.getByText('SPEAKER delivers Networking').waitFor();
    await reload();
    expect(await cell('SPEAKER', 'Networking').isChecked()).toBe(true);
    await page.getByText('any ticket with SPEAKER').first().waitFor();
  });

  test('show which tickets open the door under the pointer', async () => {
    await page.getByRole('row', { name: /^Lounge/ }).hover();
    const isMarked = (ticket: string) =>
      page
        .getByRole('table', { name: 'Who gets what' })
        .getByRole('row', { name: new RegExp(`^${ticket}`) })
        .evaluate((row) => (row as { className: string }).className.includes('bg-green-soft'));
    await expect.poll(() => isMarked('Seat')).toBe(true);
    expect(await isMarked('Student')).toBe(false);
  });
});

describe('exhibitors', () => {
  test('are added, confirmed, staffed by a person who is searched, and get a booth', async () => {
    await open('exhibitors');
    await page.getByText('No exhibitors yet').waitFor();
    await add('Add a company', { Company: 'Analytical Engines' }, 'Create the company');
    await page.getByRole('link', { name: /Analytical Engines/ }).click();
    const panel = page.getByRole('complementary', { name: 'Exhibitor' });
    await panel.getByRole('button', { name: 'Confirm' }).click();
    await panel.locator('[data-badge]').getByText('Confirmed').waitFor();
    await panel.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill('love');
    await dialog.getByRole('button', { name: 'Add Ada Lovelace' }).click();
    await panel.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await page.getByText('Ada Lovelace is on the roster').first().waitFor();
    await panel.getByRole('button', { name: 'Allocate a booth' }).click();
    await dialog.getByLabel('Number', { exact: true }).fill('A12');
    await dialog.getByLabel('Type', { exact: true }).fill('corner');
    await dialog.getByLabel(/^Room/).selectOption({ label: 'Lounge' });
    await dialog.getByRole('button', { name: 'Allocate' }).click();
    await panel.getByText('corner · Lounge').waitFor();
    expect(await send('GET', `${apiPath}/exhibitors`)).toMatchObject({
      exhibitors: [
        { status: 'confirmed', members: [{ role: 'Staff' }], booths: [{ number: 'A12' }] },
      ],
    });
  });

  test('show all booths in the order of a column', async () => {
    await open('exhibitors?view=booths');
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('company');
    await page.getByRole('row', { name: /A12 Analytical Engines Lounge corner/ }).waitFor();
    expect(page.url()).toContain('sort=company');
  });

  test('are declined after a question that says what stays', async () => {
    await page.getByRole('link', { name: 'A12' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Decline' }).click();
    const dialog = page.getByRole('dialog', { name: 'Decline Analytical Engines?' });
    await dialog.getByText(/1 booth stays occupied .* 1 person stays on its roster/).waitFor();
    expect(await send('GET', `${apiPath}/exhibitors`)).toMatchObject({
      exhibitors: [{ status: 'confirmed' }],
    });
    await dialog.getByRole('button', { name: 'Decline Analytical Engines' }).click();
    await page.getByText('Analytical Engines is declined').first().waitFor();
    expect(await send('GET', `${apiPath}/exhibitors`)).toMatchObject({
      exhibitors: [{ status: 'declined', members: [{}], booths: [{ number: 'A12' }] }],
    });
  });

  test('are released from a booth and the roster', async () => {
    await page.getByRole('button', { name: 'Remove Ada Lovelace from the roster' }).click();
    await page.getByText('Nobody yet').waitFor();
    await page.getByRole('button', { name: 'Release booth A12' }).click();
    await page.getByText('Booth A12 is released').first().waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
    for (const what of ['A booth was released', 'A person was taken off the roster', 'Declined']) {
      await timeline.filter({ hasText: what }).filter({ hasText: 'Olivia Owner' }).waitFor();
    }
    await timeline.filter({ hasText: 'Added' }).waitFor();
  });
});

describe('codes', () => {
  test('that were created together are listed, exported and disabled together', async () => {
    await open('codes?view=batches');
    await page.getByText('No batches yet').waitFor();
    await page.getByRole('button', { name: 'New codes' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Ticket type').selectOption({ label: 'Seat' });
    const count = dialog.getByLabel('How many codes');
    await count.fill('');
    const own = dialog.getByLabel('Own code');
    await own.fill('speaker');
    expect(await count.isDisabled()).toBe(true);
    await dialog.getByText('Enter a value').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Create 1 code' }).click();
    await dialog.getByText('already exists in the event').first().waitFor();
    expect(await own.getAttribute('aria-invalid')).toBe('true');
    await own.fill('');
    await count.fill('3');
    await dialog.getByText(/^Examples\./).waitFor();
    await dialog.getByLabel('Label').fill('Press');
    await dialog.getByRole('button', { name: 'Create 3 codes' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Press' }).click();
    await page.getByRole('heading', { level: 1, name: 'Press' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(4);
    await page.getByRole('button', { name: 'Disable the batch' }).click();
    await dialog.getByRole('button', { name: 'Disable 3 codes of Press' }).click();
    await page.getByText('0 of 3 active').waitFor();
    const { redemptionCodes } = await send('GET', `${apiPath}/redemption-codes`);
    const active = redemptionCodes.filter(({ status }: { status: string }) => status === 'active');
    expect(active).toMatchObject([{ code: 'SPEAKER' }]);
  });

  test('are found by a part of the code and by the ticket type', async () => {
    await open('codes');
    const table = page.getByRole('table', { name: 'Codes' });
    await table.getByRole('row').nth(4).waitFor();
    await page.getByRole('searchbox', { name: 'Search by code' }).fill('speak');
    await table.getByRole('row').nth(2).waitFor({ state: 'detached' });
    await table.getByRole('row', { name: /SPEAKER/ }).waitFor();
    await page.getByRole('combobox', { name: 'Ticket' }).selectOption({ label: 'Student' });
    await page.getByText('No code matches the search and the filters').waitFor();
    const { searchParams } = new URL(page.url());
    expect([...searchParams.keys()]).toEqual(['type']);
  });
});

describe('badges', () => {
  test.runIf(isFull)(
    'of an event or a ticket type are saved as a PDF, and that of a person is a link',
    async () => {
      const { registrations } = await send('GET', `${apiPath}/registrations`);
      const codes = registrations.map(({ checkinCode }: { checkinCode: string }) => checkinCode);
      await open('registrations');
      await page.getByRole('button', { name: 'Print badges' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Badges').selectOption({ label: 'Student' });
      await dialog.getByRole('button', { name: 'Save PDF' }).click();
      await dialog.getByText('Nobody is confirmed yet').waitFor();
      await dialog.getByLabel('Badges').selectOption({ label: 'Everybody who is confirmed' });
      const saved = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Save PDF' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toMatch(/^badges-.+\.pdf$/);
      await page.getByText('The badges are saved').first().waitFor();
      const pages = await readPdf(readFileSync(await download.path()));
      expect(pages.map((badge) => badge.codes)).toEqual(codes.map((code: string) => [code]));
      await page.getByRole('link', { name: 'Ada Lovelace' }).click();
      const link = page.getByRole('link', { name: 'Badge', exact: true });
      const path = (await link.getAttribute('href')) ?? '';
      const file = await page.request.get(new URL(path, page.url()).href);
      expect(file.headers()['content-type']).toBe('application/pdf');
      expect((await readPdf(await file.body()))[0]?.text).toContain('Ada Lovelace');
    },
  );
});

describe('the timeline of a person', () => {
  test('says who did what, once, with the id of the request', async () => {
    await open('registrations');
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const registered = timeline.getByRole('listitem').filter({ hasText: 'Registered' });
    await registered.getByText(/· (An API key|API key )/).waitFor();
    await timeline.getByText('Put on the roster of an exhibitor').waitFor();
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Cancel the registration' }).click();
    await page.getByRole('button', { name: 'Cancel Ada Lovelace' }).click();
    const cancelled = timeline.getByRole('listitem').filter({ hasText: 'Cancelled' });
    await cancelled.getByText('· Olivia', { exact: false }).waitFor();
    await cancelled.getByRole('button', { name: /^Copy the request id: req_/ }).waitFor();
    expect(await cancelled.count()).toBe(1);
  });
});

// `console-pages` walks every page; these are their views.
describe.runIf(process.env.TEST_SIZE === 'full').each([
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
])('with records, in $theme at $width pixels', ({ theme, width }) => {
  const paths = [
    'codes?view=batches',
    'perks',
    'program',
    'program?view=speakers',
    'program?view=rooms',
    'exhibitors',
  ];
  test.each([...paths, 'exhibitors?view=booths'])('%s is accessible', async (path) => {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(
      `localStorage.setItem('theme', '${theme}'); document.documentElement.dataset.theme = '${theme}'`,
    );
    await open(path);
    expect(await violationsOf(page)).toEqual([]);
    const scrolls = await page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
    expect(scrolls).toBe(false);
  });
});

test('causes no error', () => {
  expect(operator.failures).toEqual([]);
});
