import { readFileSync } from 'node:fs';
import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Conference, createConference } from './console/conference.ts';
import { type Operator, signInAs } from './console/operator.ts';
import { type Body, urls } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let conference: Conference;
let operator: Operator;
let page: Page;
let eventPath: string;
let unitPath: string;
let order: Body;

const emailPart = 'b0a2';

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  conference = await createConference(platform);
  const { unitId, eventId, steps, path, seatId, orderId } = conference;
  await steps.create(`${path}/registrations`, {
    email: `maria.x${emailPart}@gmial.com`,
    name: 'Maria Skłodowska',
    registrationTypeId: seatId,
  });
  order = await steps.get(`${path}/orders/${orderId}`);
  operator = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = operator.page;
  unitPath = `/u/${unitId}`;
  eventPath = `${unitPath}/events/${eventId}`;
}, 600_000);
afterAll(() => closeContexts(browser));

const desktop = { width: 1440, height: 900 };
const phone = { width: 375, height: 812 };

async function openPalette(): Promise<Locator> {
  await page.getByRole('button', { name: 'Search and commands' }).click();
  return page.getByRole('combobox', { name: 'Search and commands' });
}

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('the search of everything on %s', (_, viewport) => {
  beforeAll(() => page.setViewportSize(viewport));

  test('forgives what is typed, and opens what it finds', async () => {
    await operator.visit(`${eventPath}/orders`);
    const box = await openPalette();
    const options = page.getByRole('option');
    for (const [typed, found] of [
      [emailPart, 'Maria Skłodowska'],
      ['gmial.com', 'Maria Skłodowska'],
      ['sklodowxka', 'Maria Skłodowska'],
      [order.orderNumber.slice(4).toLowerCase(), `${order.orderNumber} Olga`],
      [order.orderNumber.slice(0, 8), `${order.orderNumber} Olga`],
    ] as const) {
      await box.fill(typed);
      await options.filter({ hasText: found }).first().waitFor();
    }
    await box.fill('sklodowxka');
    await page.getByText('No name begins with “sklodowxka”.').waitFor();
    await box.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Maria Skłodowska' }).waitFor();
  });

  test('finds codes, exhibitors and pages of the event', async () => {
    const { redemptionCodes } = await conference.steps.get(`${conference.path}/redemption-codes`);
    const { exhibitors } = await conference.steps.get(`${conference.path}/exhibitors`);
    await operator.visit(`${eventPath}/orders`);
    const box = await openPalette();
    const options = page.getByRole('option');
    await box.fill(redemptionCodes[0].code.slice(1, 6));
    await options.filter({ hasText: redemptionCodes[0].code }).waitFor();
    await box.fill('Perks');
    await options.filter({ hasText: 'Perks & gates' }).first().waitFor();
    await box.fill(exhibitors[0].name.slice(0, 7));
    await options
      .filter({ hasText: exhibitors[0].name.slice(0, 7) })
      .filter({ hasText: 'Exhibitors' })
      .click();
    await page.waitForURL(`**/exhibitors/${exhibitors[0].id}`);
  });

  test('says what was tried in vain, and goes on in all events', async () => {
    const other = await conference.steps.create('/v1/events', {
      name: 'Retreat',
      timezone: 'Europe/Berlin',
      startsAt: '2027-06-10T09:00:00+02:00',
      endsAt: '2027-06-11T18:00:00+02:00',
    });
    await conference.steps.patch(`/v1/events/${other.id}`, { status: 'published' });
    const type = await conference.steps.create(`/v1/events/${other.id}/ticket-types`, {
      name: 'Bed',
      capacity: 5,
    });
    await conference.steps.patch(`/v1/events/${other.id}/ticket-types/${type.id}`, {
      status: 'open',
    });
    const name = `Zacharias ${viewport.width}`;
    await conference.steps.create(`/v1/events/${other.id}/registrations`, {
      email: `z${viewport.width}@example.com`,
      name,
      registrationTypeId: type.id,
    });
    await operator.visit(`${eventPath}/registrations?q=Zacharias%20${viewport.width}`);
    await page.getByText(`Nobody found for “${name}”`).waitFor();
    await page.getByText('no email contains it').waitFor();
    await page.getByRole('button', { name: 'Search in all events' }).click();
    await page.getByRole('option').filter({ hasText: name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await operator.visit(`${eventPath}/orders`);
    const box = await openPalette();
    await box.fill('Zachariaz');
    await page.getByText('Nothing found for “Zachariaz”').waitFor();
    // The only entry.
    await box.press('Enter');
    await page.getByRole('option').filter({ hasText: name }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });
});

test('a list says that its rows are only similar', async () => {
  await page.setViewportSize(desktop);
  await operator.visit(`${eventPath}/registrations?q=Sklodowxka`);
  await page.getByRole('link', { name: 'Maria Skłodowska' }).waitFor();
  await page.getByText('No name begins with “Sklodowxka”. These are similar:').waitFor();
  await operator.visit(`${eventPath}/orders?q=${order.orderNumber.slice(4)}`);
  await page.getByRole('link', { name: order.orderNumber }).waitFor();
  expect(await page.getByText('These are similar').count()).toBe(0);
});

describe('the search of a list', () => {
  beforeAll(() => page.setViewportSize(desktop));
  const field = () => page.locator('main').getByRole('searchbox');
  const links = (table: string) =>
    page.getByRole('table', { name: table }).getByRole('row').getByRole('link');

  test('of people finds those of an order by its number, and counts them', async () => {
    await operator.visit(`${eventPath}/registrations`);
    for (const typed of [order.orderNumber, order.orderNumber.slice(4).toLowerCase()]) {
      await field().fill(typed);
      await eventually(async () =>
        expect((await links('Registrations').allTextContents()).toSorted()).toEqual([
          expect.stringMatching(/^Olga/),
          'Otto',
        ]),
      );
      await page.getByRole('button', { name: 'All 2' }).waitFor();
    }
  });

  test('of orders finds those of the people in them, also in the file', async () => {
    await operator.visit(`${eventPath}/orders`);
    for (const typed of ['Otto', 'otto@exam']) {
      await field().fill(typed);
      await page.getByRole('link', { name: order.orderNumber }).waitFor();
    }
    const [, ...rows] = await savedBy(exportCsv);
    expect(rows.filter((cells) => cells.includes(order.orderNumber))).toHaveLength(1);
  });

  test('is in no address, and stays after a reload, Back and Close', async () => {
    await operator.visit(`${eventPath}/registrations`);
    const visited: string[] = [];
    page.on('request', (request) => visited.push(request.url()));
    await field().fill('Maria');
    const maria = page.getByRole('link', { name: 'Maria Skłodowska' });
    await eventually(async () => expect(await links('Registrations').count()).toBe(1));
    await page.reload();
    await maria.waitFor();
    expect(await field().inputValue()).toBe('Maria');
    await maria.click();
    await page.getByRole('heading', { level: 1, name: 'Maria Skłodowska' }).waitFor();
    await page.getByRole('link', { name: 'Close' }).click();
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect(await field().inputValue()).toBe('Maria');
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Maria Skłodowska' }).waitFor();
    expect(await links('Registrations').count()).toBe(1);
    // As a link that somebody has stored.
    await page.goto(`${platform.consoleUrl}${eventPath}/registrations?q=Maria&status=confirmed`);
    await maria.waitFor();
    expect(page.url()).toMatch(/registrations\?status=confirmed$/);
    const hrefs = await page.locator('a').evaluateAll((all) => all.map(String));
    expect([...visited, ...hrefs].filter((each) => /[?&]q=/.test(each))).toEqual([
      `${platform.consoleUrl}${eventPath}/registrations?q=Maria&status=confirmed`,
    ]);
  });
});

/** The lines of a file that a click saves, each with its cells. */
async function savedBy(click: () => Promise<void>): Promise<string[][]> {
  const saved = page.waitForEvent('download');
  await click();
  const text = readFileSync(await (await saved).path(), 'utf8').replace(/^\uFEFF/, '');
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell));
}

const exportCsv = () => page.getByRole('button', { name: 'Export CSV' }).click();
const exportFor = (purpose: string) => async () => {
  await page.getByRole('button', { name: 'Files for a purpose' }).click();
  await page.getByRole('menuitem', { name: purpose }).click();
};

/** The row of a file that has a cell with a value, by the headers. */
function rowWith([headers = [], ...rows]: string[][], value: string): Record<string, string> {
  const row = rows.find((cells) => cells.includes(value));
  if (!row) throw new Error(`no row has ${value}`);
  return Object.fromEntries(headers.map((header, place) => [header, row[place] ?? '']));
}

describe('a file', () => {
  beforeAll(() => page.setViewportSize(desktop));

  test('of orders has decimals, items, people and times of the event', async () => {
    const { steps, path, seatId } = conference;
    const awaited = await steps.create(`${path}/orders`, {
      email: 'late@example.com',
      items: [{ itemType: 'registration_type', itemId: seatId }],
    });
    await steps.post(`${path}/orders/${awaited.id}/confirm`, urls);
    await operator.visit(`${eventPath}/orders`);
    const row = rowWith(await savedBy(exportCsv), order.orderNumber);
    expect(row).toMatchObject({
      Total: '50.00',
      Refunded: '0.00',
      Net: '50.00',
      Currency: 'EUR',
      Status: 'Paid',
    });
    expect(row.Items).toMatch(/^2 × /);
    expect(row.People?.split('; ')).toHaveLength(2);
    expect(row.People).toMatch(/^Olga .*; Otto/);
    const { placedAt } = order;
    const berlin = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    expect(row['Placed (Europe/Berlin)']).toBe(berlin.format(new Date(placedAt)));
    const finance = await savedBy(exportFor('For finance'));
    const refunded = await conference.steps.get(
      `${conference.path}/orders/${conference.refundedOrderId}`,
    );
    expect(rowWith(finance, refunded.orderNumber)).toMatchObject({
      Status: 'Partly refunded',
      Total: '25.00',
      Refunded: '10.00',
      Net: '15.00',
      'To be paid': '0.00',
      'Refund due': '0.00',
    });
    expect(rowWith(finance, awaited.orderNumber)).toMatchObject({
      ...{ Status: 'Awaiting payment', 'To be paid': '25.00', Net: '' },
    });
  });

  test('of registrations has the answers, and one for a purpose those who are confirmed', async () => {
    const { questions } = await conference.steps.get(`${conference.path}/form`);
    const labels = questions.map(({ label }: Body) => label.replaceAll('"', '""'));
    await operator.visit(`${eventPath}/registrations`);
    const [headers = []] = await savedBy(exportCsv);
    expect(headers).toEqual([
      ...['ID', 'Name', 'Email', 'Ticket', 'Status', 'Order ID', 'Badge code'],
      ...['Registered (Europe/Berlin)', 'Order', ...labels],
      'Checked in (Europe/Berlin)',
    ]);
    const catering = await savedBy(exportFor('For catering'));
    expect(catering[0]).toEqual(['Question', 'Answer', 'People']);
    const start = catering.findIndex(([cell]) => cell === 'Name');
    expect(catering[start]).toEqual(['Name', 'Ticket', ...labels]);
    const people = catering.length - start - 1;
    const counted = catering.slice(1, start).filter(([label]) => label === labels[0]);
    expect(counted.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(people);
    const badges = await savedBy(exportFor('For the badge printer'));
    expect(badges[0]).toEqual(['Name', 'Ticket', 'Badge code', ...labels]);
    expect(badges.length - 1).toBe(people);
    expect(badges.flat()).not.toContain('Linus Torvalds');
  });

  test('of codes has ticket, discount and uses', async () => {
    const type = { registrationTypeId: conference.seatId, code: 'HALF-OFF', maxUses: 3 };
    await conference.steps.create(`${conference.path}/redemption-codes`, {
      ...type,
      discount: { type: 'amount', value: 1250 },
    });
    await operator.visit(`${eventPath}/codes`);
    expect(rowWith(await savedBy(exportCsv), 'HALF-OFF')).toMatchObject({
      Discount: '12.50',
      'Discount in': 'EUR',
      Status: 'Active',
      Uses: '0',
      'Most uses': '3',
      Ticket: expect.not.stringMatching(/^tt_/),
    });
  });
});

test('a secret stays until it is copied', async () => {
  await operator.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await operator.visit(`${unitPath}/team`);
  await page.getByRole('button', { name: 'Invite' }).first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Invite|Create)/ })
    .click();
  const copy = page.getByRole('dialog').getByRole('button', { name: /^Copy/ });
  await copy.waitFor();
  await copy.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  expect(await copy.isVisible()).toBe(true);
  await copy.click();
  await page
    .getByRole('dialog')
    .getByText('Copied', { exact: true })
    .waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await copy.waitFor({ state: 'detached' });
});

test.each([
  ['a person', () => `${eventPath}/registrations/reg_${'0'.repeat(26)}`],
  ['an order', () => `${eventPath}/orders/ord_${'0'.repeat(26)}`],
  ['an exhibitor', () => `${eventPath}/exhibitors/exh_${'0'.repeat(26)}`],
  ['a batch', () => `${eventPath}/codes?batch=unknown`],
  ['a webhook endpoint', () => `${unitPath}/webhooks/whe_${'0'.repeat(26)}`],
])('the address of %s that does not exist says so', async (_, path) => {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path())} })`);
  await page.getByText('Not found', { exact: true }).waitFor();
});

test('what is typed stays when another account signs in, and is not sent by it', async () => {
  await operator.visit(`${unitPath}/events/new`);
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Written by Olivia');
  const own = await operator.context.cookies();
  const { unitId, steps } = conference;
  const other = await signInAs(platform, browser, { unitId, role: 'organizer' });
  await operator.context.clearCookies();
  await page.getByRole('button', { name: 'Create the event' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await operator.context.addCookies(await other.context.cookies());
  await page.getByRole('button', { name: 'I have signed in' }).click();
  await page.getByRole('dialog', { name: /^You are signed in as / }).waitFor();
  expect(await name.inputValue()).toBe('Written by Olivia');
  const { events } = await steps.get('/v1/events');
  expect(events.map(({ name: of }: Body) => of)).not.toContain('Written by Olivia');
  await operator.context.addCookies(own);
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await page.getByRole('dialog', { name: /^You are signed in as / }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create the event' }).click();
  await page.getByRole('heading', { level: 1, name: 'Written by Olivia' }).waitFor();
});
