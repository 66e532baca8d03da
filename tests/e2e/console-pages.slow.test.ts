import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Conference, createConference, hostileTexts } from './console/conference.ts';
import { type Operator, signInAs, waitUntilComplete } from './console/operator.ts';
import { type ConsolePage, pagesOf } from './console/routes.ts';
import { pay, urls } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let operator: Operator;
let page: Page;
let unitPath: string;
let eventPath: string;
let conference: Conference;
let pages: ConsolePage[];

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  conference = await createConference(platform);
  const { unitId, eventId } = conference;
  operator = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = operator.page;
  unitPath = `/u/${unitId}`;
  eventPath = `${unitPath}/events/${eventId}`;
  pages = [
    ...(await pagesOf(operator, { unitId, eventId, orderId: conference.refundedOrderId })),
    // What only another record, or another view of a page, shows.
    { route: 'a rejected person', path: `${eventPath}/registrations/${conference.rejectedId}` },
    { route: 'the batches of codes', path: `${eventPath}/codes?view=batches` },
  ];
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
});

const isFull = process.env.TEST_SIZE === 'full';
const phone = { width: 390, height: 844 };
const desktop = { width: 1440, height: 900 };

interface Appearance {
  theme: 'light' | 'dark';
  viewport: { width: number; height: number };
}
const appearances: Appearance[] = [
  { theme: 'light', viewport: desktop },
  { theme: 'dark', viewport: phone },
  ...(isFull
    ? ([
        { theme: 'dark', viewport: desktop },
        { theme: 'light', viewport: phone },
      ] as const)
    : []),
];

/** Sets the size and the theme of the page. Without motion, its colors change at once. */
async function setAppearance({ theme, viewport }: Appearance): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
  // The page shows cards in place of tables, and is drawn, in the frame after the next one.
  await page.evaluate(
    `localStorage.setItem('theme', '${theme}');
    document.documentElement.dataset.theme = '${theme}';
    new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));`,
  );
}

/** What is wrong with the page that is open, whatever its colors are. */
async function problemsOfLayout(): Promise<string[]> {
  const found: string[] = [];
  // What a text of a stranger has done to the page.
  const damage = await page.evaluate<number>(
    `(window.isHacked ? 1 : 0) + document.querySelectorAll('img[src="x"]').length`,
  );
  if (damage > 0) found.push('a text runs as a script');
  const scrolls = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  if (scrolls) found.push('it scrolls sideways');
  const moves = await page.evaluate<boolean>(
    `[...document.querySelectorAll('button')].some((each) => getComputedStyle(each).transitionDuration !== '0s')`,
  );
  if (moves) found.push('it has motion although the person prefers none');
  const dashes = await page.evaluate<boolean>(
    `[...document.querySelectorAll('li[data-row] dd > [data-no-value]:only-child')].some((each) => each.getClientRects().length > 0)`,
  );
  if (dashes) found.push('a row on a phone names a value that its record does not have');
  return found;
}

test('every page, on a desktop or a phone, is accessible, does not scroll sideways and runs no text of a record', async () => {
  expect(pages.length).toBeGreaterThan(15);
  const problems: Record<string, string[]> = {};
  const quoting: string[] = [];
  let quoted = '';
  for (const [i, { route, path }] of pages.entries()) {
    // Every other page is opened on a phone. The full size then shows it in each other look.
    const first = i % appearances.length;
    const visible = [...appearances.slice(first), ...appearances.slice(0, first)].slice(
      0,
      isFull ? 4 : 1,
    );
    for (const appearance of visible) {
      await setAppearance(appearance);
      if (appearance === visible[0]) await operator.visit(path);
      const found = [...(await problemsOfLayout()), ...(await violationsOf(page))];
      const name = `${route} in ${appearance.theme} at ${appearance.viewport.width} pixels`;
      if (found.length > 0) problems[name] = found;
    }
    const text = await page.evaluate<string>('document.querySelector("main").innerText');
    if (text.includes('<img src=x')) quoting.push(route);
    quoted += text;
  }
  expect(problems).toEqual({});
  // The hostile texts are on the pages: otherwise nothing would be tested.
  expect(quoting.length).toBeGreaterThan(8);
  expect(Object.values(hostileTexts).filter((text) => !quoted.includes(text))).toEqual([]);
});

describe('tasks in the console', () => {
  beforeAll(() => setAppearance({ theme: 'light', viewport: desktop }));

  test('a person is found by Ctrl+K, a part of the name, email, badge or order number, and Enter', async () => {
    const { steps, path, orderId, pendingId } = conference;
    const { orderNumber } = await steps.get(`${path}/orders/${orderId}`);
    const { checkinCode } = await steps.get(`${path}/registrations/${pendingId}`);
    await operator.visit(eventPath);
    for (const [typed, found, title, address] of [
      ['grac', /Grace Hopper/, 'Grace Hopper', '/registrations/reg_'],
      [orderNumber, /Olga/, orderNumber, '/orders/ord_'],
      [checkinCode, /Grace Hopper/, 'Grace Hopper', `/registrations/${pendingId}`],
      ['otto@', /Otto/, 'Otto', '/registrations/reg_'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).fill(typed);
      await page.getByRole('option', { name: found }).waitFor();
      await page.keyboard.press('Enter');
      const heading = page.getByRole('heading', { level: 1, name: title });
      await heading.and(page.locator(':focus')).waitFor();
      expect(page.url()).toContain(address);
    }
  });

  test.runIf(isFull)(
    'a person is found by Ctrl+K outside of an event, although a draft is newer',
    async () => {
      await conference.steps.create('/v1/events', { name: 'Draft', timezone: 'UTC' });
      for (const path of [`${unitPath}/events`, '/account']) {
        await operator.visit(path);
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search and commands' }).fill('grac');
        await page.getByRole('option', { name: /Grace Hopper.*Summit/ }).click();
        await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
      }
    },
  );

  test.runIf(isFull)(
    'the overview of a draft shows what it needs in place of figures',
    async () => {
      const { steps } = conference;
      const { id } = await steps.create('/v1/events', { name: 'Plan', timezone: 'UTC' });
      await operator.visit(`${unitPath}/events/${id}`);
      const checklist = page.getByRole('region', { name: 'Before you publish' });
      const items = () => checklist.getByRole('listitem').allInnerTexts();
      await expect
        .poll(items)
        .toEqual([
          expect.stringMatching(/^Set when the event starts\s*to do$/),
          expect.stringMatching(/^Add a ticket type\s*to do$/),
          expect.stringMatching(/^Put a ticket type on sale\s*to do$/),
          expect.stringMatching(/^Ask buyers what you need to know\s*optional$/),
          expect.stringMatching(/^Write a refund policy\s*optional$/),
        ]);
      expect(await page.getByRole('region').allInnerTexts()).toHaveLength(1);
      expect(await page.getByRole('list', { name: 'Figures' }).count()).toBe(0);
      const publish = checklist.getByRole('button', { name: 'Publish the event' });
      expect(await publish.isDisabled()).toBe(true);
      await steps.patch(`/v1/events/${id}`, { startsAt: '2027-05-10T09:00:00Z' });
      const type = await steps.create(`/v1/events/${id}/ticket-types`, { name: 'Seat' });
      await steps.patch(`/v1/events/${id}/ticket-types/${type.id}`, { status: 'open' });
      await expect
        .poll(async () => (await items()).slice(0, 3).every((each) => each.endsWith('done')))
        .toBe(true);
      await publish.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish Plan' }).click();
      await page.getByRole('list', { name: 'Figures' }).waitFor();
      expect(await checklist.count()).toBe(0);
    },
  );

  test('the events are grouped, show their sold seats, and are found by name', async () => {
    await conference.steps.create('/v1/events', { name: 'Idea', timezone: 'UTC' });
    await operator.visit(`${unitPath}/events`);
    // The list may be one that was read before the draft was created.
    await page.reload();
    const drafts = page.getByRole('table', { name: 'Drafts' });
    await drafts.getByText('Idea').waitFor();
    const upcoming = page.getByRole('table', { name: 'Upcoming' });
    const summit = upcoming.getByRole('row', { name: /Summit/ });
    // One ticket type of the conference is unlimited.
    await summit.getByRole('cell', { name: /^\d+$/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('summ');
    await drafts.waitFor({ state: 'detached' });
    expect(await summit.count()).toBe(1);
    expect(new URL(page.url()).search).toBe('');
    await page.reload();
    await summit.waitFor();
    await drafts.waitFor({ state: 'detached' });
  });

  test('the overview counts new registrations without a reload, with and without an order', async () => {
    await operator.visit(eventPath);
    await page.getByText('Live', { exact: true }).waitFor();
    const figure = page.locator('[data-figure="Confirmed"]');
    await figure.filter({ hasText: /^\d+$/ }).waitFor();
    const before = Number(await figure.textContent());
    const days = page.getByRole('region', { name: 'Registrations per day' });
    // A test that runs at midnight sees some of them as those of yesterday.
    const registered = async () => {
      const sentence = await days.getByText(/^\d+ today, \d+ yesterday/).textContent();
      const [today = 0, yesterday = 0] = sentence?.match(/\d+/g)?.map(Number) ?? [];
      return today + yesterday;
    };
    expect(await registered()).toBe(before);
    await conference.steps.create(`${conference.path}/registrations`, {
      email: 'live@example.com',
      name: 'Linus Live',
      registrationTypeId: conference.seatId,
    });
    await figure.filter({ hasText: new RegExp(`^${before + 1}$`) }).waitFor();
    await expect.poll(registered).toBe(before + 1);
    // What follows places and pays an order, which takes longer than the rest.
    if (!isFull) return;
    const items = [{ itemType: 'registration_type', itemId: conference.seatId, quantity: 1 }];
    const { steps, path } = conference;
    const order = await steps.create(`${path}/orders`, { email: 'buyer@example.com', items });
    const { paymentUrl } = await steps.post(`${path}/orders/${order.id}/confirm`, urls);
    await pay(paymentUrl);
    await expect.poll(registered).toBe(before + 2);
    await page.locator('[data-figure="Revenue"]').filter({ hasText: '€90' }).waitFor();
    await page.getByRole('button', { name: 'Show revenue' }).click();
    const revenue = page.getByRole('region', { name: 'Revenue per day' });
    await revenue.getByRole('button', { name: 'Show as a table' }).click();
    await revenue.getByRole('cell', { name: /^€/ }).first().waitFor();
  });

  describe.runIf(isFull).each([
    ['is refused', (route: Route) => route.abort()],
    ['has no response', () => {}],
  ] as const)('while the stream %s', (_, handle) => {
    test('the overview says that its figures are stale, and is live afterwards', async () => {
      let isAway = true;
      // Requests that have no response keep having none: the page must send another one.
      await page.route(/\/live$/, (route) => (isAway ? handle(route) : route.continue()));
      await page.goto(platform.consoleUrl + eventPath);
      await waitUntilComplete(page);
      await page.getByText(/^Connecting/).waitFor();
      await page.getByText(/^Not live/).waitFor();
      isAway = false;
      await page.getByText('Live', { exact: true }).waitFor();
      await page.unroute(/\/live$/);
    });
  });

  test('approves the selected people and shows the result of each', async () => {
    await operator.visit(`${eventPath}/registrations?status=pending`);
    await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).check();
    const approve = page.getByRole('button', { name: 'Approve 1 person' });
    await approve.click();
    await page.getByRole('dialog', { name: 'Approve 1 person?' }).locator(approve).click();
    const dialog = page.getByRole('dialog', { name: 'Result for each person' });
    await dialog.getByText('Confirmed').waitFor();
    // It cannot be closed while it runs.
    await dialog.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Nobody fits these filters').waitFor();
  });

  test('a list is saved as a file with the rows that it shows, and only with an entry in the audit log', async () => {
    const { steps, path } = conference;
    const { registrations } = await steps.get(`${path}/registrations?email=otto@example.com`);
    const [{ id: registrationId, orderId }] = registrations;
    // What no filter can be is ignored.
    const unknown = 'status=wrong&type=tt_unknown&from=nonsense&until=2027-02-30';
    await operator.visit(`${eventPath}/registrations?q=otto&${unknown}`);
    const otto = page.getByRole('link', { name: 'Otto' });
    await otto.waitFor();
    // Each status shows how many people have it.
    const status = (name: string) =>
      page.getByRole('button', { name: new RegExp(`^${name}( \\d+)?$`) });
    expect(await status('All').getAttribute('aria-pressed')).toBe('true');
    await status('Pending').click();
    await page.getByText('Nobody found for “otto”').waitFor();
    expect(new URL(page.url()).search).toBe('?status=pending');
    await status('Confirmed').click();
    await otto.waitFor();
    await page.setViewportSize(phone);
    const row = page.locator('li[data-row]');
    await row.getByText(/^ORD-/).waitFor();
    await row.getByText('Not yet', { exact: true }).waitFor();
    await page.setViewportSize(desktop);
    await steps.create(`${path}/checkins`, { registrationId, subjectType: 'event' });
    let files = 0;
    page.on('download', () => {
      files += 1;
    });
    const save = page.getByRole('button', { name: 'Export CSV' });
    const messages = page.locator('[data-toast]');
    const stopped = messages.filter({ hasText: 'The export has stopped. No file was saved.' });
    await page.route(/\/exports$/, (route) => route.abort());
    for (const displayed of [1, 2, 3, 3]) {
      const before = await stopped.count();
      await save.click();
      await stopped.nth(before).waitFor({ state: 'attached' });
      expect(await stopped.filter({ visible: true }).count()).toBe(displayed);
    }
    await page.unroute(/\/exports$/);
    // A file whose rows do not arrive is cancelled, and is not saved.
    const rowsOfFile = /operator\/registration\.search$/;
    await page.route(rowsOfFile, () => {});
    const read = page.waitForRequest(rowsOfFile);
    await save.click();
    await read;
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await messages.filter({ hasText: 'Export cancelled' }).waitFor();
    await page.unroute(rowsOfFile);
    const saved = page.waitForEvent('download');
    await save.click();
    const [headers = '', ...lines] = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    const cellsOf = (line: string) => line.split(',').map((cell) => cell.replaceAll('"', ''));
    expect(cellsOf(headers).join()).toMatch(
      /^ID,.*,Order ID,Badge code,Registered \(Europe\/Berlin\),Order,.*,Checked in \(Europe\/Berlin\)$/,
    );
    const cells = lines.map(cellsOf);
    expect(cells.map((each) => [each[0], each[5], each[8], each.at(-1)])).toEqual([
      [
        registrationId,
        orderId,
        expect.stringMatching(/^ORD-/),
        expect.stringMatching(/ \d\d:\d\d$/),
      ],
    ]);
    expect(files).toBe(1);
    // A message has the role of a dialog, but leaves Escape to the page.
    await otto.click();
    const panel = page.getByRole('complementary', { name: 'Person' });
    await panel.getByRole('heading', { level: 1 }).waitFor();
    expect(await messages.first().isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await operator.visit(`${unitPath}/audit?operation=registration.export`);
    const rows = page.locator('main tbody tr');
    await rows.filter({ hasText: 'Olivia Owner' }).first().waitFor();
    // One that is cancelled has an entry, too.
    expect(await rows.count()).toBe(2);
  });

  test('on a phone, a list begins with its rows, and its filters are in a sheet that counts them', async () => {
    await page.setViewportSize(phone);
    await operator.visit(`${eventPath}/orders`);
    const row = page.locator('li[data-row]').first();
    await row.waitFor();
    // The rows begin in the upper half of the screen.
    expect((await row.boundingBox())?.y).toBeLessThan(phone.height / 2);
    expect(await page.getByRole('combobox', { name: 'Status' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByRole('combobox', { name: 'Status' }).selectOption('expired');
    await page.waitForURL(/status=expired/);
    await sheet.getByLabel('Placed until').fill('2020-01-01');
    await page.waitForURL(/until=2020-01-01/);
    expect(await violationsOf(page)).toEqual([]);
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.getByText('No order fits these filters').waitFor();
    await page.getByRole('button', { name: 'Filters 2' }).click();
    await sheet.getByRole('button', { name: 'Clear filters' }).click();
    await sheet.getByRole('button', { name: 'Done' }).click();
    await row.waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.setViewportSize(desktop);
  });

  test('on a phone, the names and the values of the rows line up', async () => {
    await page.setViewportSize(phone);
    const uneven: Record<string, number[]> = {};
    for (const list of ['orders', 'registrations', 'tickets', 'codes', 'doors', 'exhibitors']) {
      await operator.visit(`${eventPath}/${list}`);
      const lefts = await page.evaluate<number[]>(
        `[...new Set([...document.querySelectorAll('li[data-row] dd')]
          .filter((each) => each.getClientRects().length > 0)
          .map((each) => Math.round(each.getBoundingClientRect().left)))]`,
      );
      if (lefts.length > 1) uneven[list] = lefts;
    }
    expect(uneven).toEqual({});
    await page.setViewportSize(desktop);
  });

  test.runIf(isFull)('lists are filtered by day, also in their files', async () => {
    await operator.visit(`${eventPath}/orders?until=2020-01-01`);
    await page.getByText('No order fits these filters').waitFor();
    const placedFrom = page.getByLabel('Placed from', { exact: true });
    await placedFrom.fill('2020-01-02');
    await page.getByText('No day is in this period').waitFor();
    expect(
      await placedFrom.and(page.locator('[aria-invalid]')).getAttribute('aria-describedby'),
    ).toBe(await page.getByText('The first day is after the last day').getAttribute('id'));
    await placedFrom.fill('2020-01-01');
    await page.getByLabel('Placed until', { exact: true }).fill('2999-01-01');
    const orders = page.getByRole('table', { name: 'Orders' }).locator('tbody tr');
    await orders.first().waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?until=2999-01-01&from=2020-01-01');
    const exported = page.waitForRequest(/\/orders\?.*limit=500/);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    // Days of the event, which is in Berlin.
    expect(new URL((await exported).url()).searchParams.get('placedBefore')).toBe(
      '2999-01-01T23:00:00.000Z',
    );
    await page.getByRole('link', { name: 'Registrations' }).first().click();
    const from = page.getByLabel('Registered from', { exact: true });
    await from.focus();
    // The year is typed digit by digit, and each of them completes a day.
    for (const key of '12312998') {
      await page.keyboard.press(key);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await page.getByText('Nobody fits these filters').waitFor();
    expect(new URL(page.url()).search).toBe('?from=2998-12-31');
    await page.getByRole('button', { name: 'Remove Registered from' }).click();
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    expect(await from.inputValue()).toBe('');
  });

  test('a rejected form keeps what was typed and names the field', async () => {
    await operator.visit(`${unitPath}/events/new`);
    await page.getByLabel('Name', { exact: true }).fill('Backwards');
    await page.getByLabel(/^Starts/).fill('2027-05-10T09:00');
    await page.getByLabel(/^Ends/).fill('2027-05-09T09:00');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/v1/events'),
    );
    await page.getByRole('button', { name: 'Create the event' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ startsAt: '2027-05-10T00:00:00.000Z' });
    await page.getByText('One field needs attention').waitFor();
    expect(await page.getByLabel(/^Starts/).inputValue()).toBe('2027-05-10T09:00');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Backwards');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test.each([1440, 1000])(
    'a detail keeps its list as it was, and returns the focus to the row, at %d pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 320 });
      await operator.visit(`${eventPath}/registrations`);
      const box = page.getByRole('checkbox', { name: 'Select Grace Hopper' });
      const link = page.getByRole('link', { name: 'Grace Hopper' });
      const heading = page.getByRole('heading', { level: 1, name: 'Grace Hopper' });
      const focused = page.locator(':focus');
      await box.check();
      await link.focus();
      await page.evaluate('window.scrollTo(0, 120)');
      await page.keyboard.press('Enter');
      await heading.and(focused).waitFor();
      if (width > 1280) {
        expect(await page.evaluate('window.scrollY')).toBe(120);
        expect(await box.isChecked()).toBe(true);
        const table = page.getByRole('table', { name: 'Registrations' });
        const hidden = await table.evaluate(({ scrollWidth, parentElement }) =>
          Math.max(0, scrollWidth - (parentElement?.clientWidth ?? 0)),
        );
        expect(hidden, 'pixels of the list that are behind the panel').toBe(0);
      }
      await page.keyboard.press('Escape');
      await link.and(focused).waitFor();
      expect(await page.evaluate('window.scrollY')).toBe(120);
      expect(await box.isChecked()).toBe(true);
      await page.setViewportSize(desktop);
    },
  );

  test('a dialog keeps the shortcuts of the page away, and a checkbox does not', async () => {
    await operator.visit(`${eventPath}/registrations`);
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).focus();
    await page.keyboard.press('?');
    await list.waitFor();
    await page.keyboard.type('gd');
    await page.keyboard.press('Control+k');
    expect(await page.locator('[role="dialog"]:not([data-toast])').count()).toBe(1);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.type('jx');
    await page
      .getByRole('checkbox', { name: 'Select Ada' })
      .and(page.locator(':checked'))
      .waitFor();
    await page.keyboard.type('/');
    const search = page.getByRole('searchbox');
    await search.and(page.locator(':focus')).waitFor();
    await search.blur();
    await page.keyboard.type('go');
    await page.waitForURL(/\/orders$/);
  });

  test('a list on a phone names its values, except badges', async () => {
    await setAppearance({ theme: 'light', viewport: phone });
    await operator.visit(`${eventPath}/tickets`);
    const names = await page.locator('[data-row] dt:not(:empty)').evaluateAll((all) =>
      all.map((each) => ({
        isShown: each.getBoundingClientRect().width > 1,
        isOfBadge: each.parentElement?.querySelector('[data-badge]') != null,
      })),
    );
    expect(names.some(({ isOfBadge }) => !isOfBadge)).toBe(true);
    expect(names.filter(({ isShown, isOfBadge }) => isShown === isOfBadge)).toEqual([]);
    await setAppearance({ theme: 'light', viewport: desktop });
  });

  test('a dialog with typed text asks before it closes, and an empty one does not', async () => {
    await operator.visit(`${eventPath}/tickets`);
    const add = page.getByRole('button', { name: 'Add a ticket type' }).first();
    const dialog = page.getByRole('dialog', { name: 'Add a ticket type' });
    await add.click();
    await dialog.getByLabel('Name').first().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // Of the three tables of the page, only the first one reacts.
    const rows = page.getByRole('table').first().locator('tbody tr');
    for (const row of [rows.nth(0), rows.nth(1)]) {
      await page.keyboard.press('j');
      await row.locator(':focus').waitFor();
    }
    await add.click();
    const name = dialog.getByLabel('Name').first();
    await name.fill('Early bird');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Early bird');
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Early bird');
    expect(page.url()).toMatch(/\/tickets$/);
    await page.mouse.click(5, 5);
    await question.getByRole('button', { name: 'Leave the page' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('a dialog stays open while its request is running, and shows how it ended', async () => {
    await operator.visit(`${eventPath}/tickets`);
    await page.getByRole('button', { name: 'Add a ticket type' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add a ticket type' });
    const name = dialog.getByLabel('Name').first();
    await name.fill('Late bird');
    let release = () => {};
    const isHeld = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isCreate = (request: { method(): string; url(): string }) =>
      request.method() === 'POST' && request.url().endsWith('/ticket-types');
    await page.route(/\/ticket-types$/, async (route) => {
      if (!isCreate(route.request())) return route.continue();
      await isHeld;
      await route.abort();
    });
    const sent = page.waitForRequest(isCreate);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await sent;
    await page.keyboard.press('Escape');
    release();
    await dialog.getByRole('alert').waitFor();
    expect(await name.inputValue()).toBe('Late bird');
    await page.unroute(/\/ticket-types$/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Leave the page' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('Back leaves each filter, and a search as a whole', async () => {
    await operator.visit(`${eventPath}/registrations`);
    const query = () => new URL(page.url()).search;
    for (const status of [/^Confirmed/, /^Pending/]) {
      await page.getByRole('button', { name: status }).click();
    }
    await page.getByRole('combobox', { name: 'Ticket' }).selectOption({ label: 'Seat' });
    const search = page.getByRole('searchbox');
    for (const text of ['gr', 'grace']) {
      await search.fill(text);
      await expect.poll(() => page.evaluate('history.state.searchText')).toBe(text);
      expect(query()).not.toContain(text);
    }
    await page.goBack();
    await expect.poll(query).toBe(`?status=pending&type=${conference.seatId}`);
    await expect.poll(() => search.inputValue()).toBe('');
    await page.goBack();
    await expect.poll(query).toBe('?status=pending');
    await page.goBack();
    await expect.poll(query).toBe('');
    expect(page.url()).toContain('/registrations');
  });

  test('a new question keeps its id when the page cannot be read again', async () => {
    await operator.visit(`${eventPath}/form`);
    await page.getByRole('button', { name: 'Add a question' }).click();
    const question = page.getByLabel('Question', { exact: true }).last();
    await question.fill('Shirt');
    await page.getByLabel('Kind of answer').last().selectOption('choice');
    const options = page.getByLabel('Answers to choose from').last();
    await options.fill('S\n\nM\n\nS');
    await options.blur();
    await page.getByText('Line 5 repeats “S”').waitFor();
    await options.fill('S\nM\n');
    await page.route(/\/v1\/events\/[^/]+\/form$/, (route) => route.abort());
    const save = page.getByRole('button', { name: 'Save' }).first();
    await save.click();
    await page.getByText('The form is saved').waitFor();
    expect(await question.inputValue()).toBe('Shirt');
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await question.fill('Size');
    const saved = page.waitForResponse(/operator\/form\.set/);
    await save.click();
    const { questions } = await (await saved).json();
    await page.unroute(/\/v1\/events\/[^/]+\/form$/);
    expect(questions.at(-1)).toMatchObject({ id: 'shirt', label: 'Size' });
  });

  test('a question is moved by dragging, and the page says which answers no longer fit', async () => {
    await operator.visit(`${eventPath}/form`);
    const labels = page.getByLabel('Question', { exact: true });
    await labels.nth(1).waitFor();
    const last = await labels.count();
    const label = await labels.last().inputValue();
    await page
      .getByText(`Question ${last}`, { exact: true })
      .dragTo(page.getByText('Question 1', { exact: true }));
    await expect.poll(() => labels.first().inputValue()).toBe(label);
    await page.getByRole('button', { name: 'Remove question 1', exact: true }).click();
    await page.getByText(`“${label}” is removed.`).waitFor();
    await page.getByRole('button', { name: 'Discard' }).first().click();
    await page.getByText(`“${label}” is removed.`).waitFor({ state: 'detached' });
  });

  test('a submission continues after the session has ended and the person signs in again', async () => {
    await operator.visit(`${unitPath}/events/new`);
    await page.getByLabel('Name', { exact: true }).fill('Written before the end');
    const cookies = await operator.context.cookies();
    await operator.context.clearCookies();
    await page.getByRole('button', { name: 'Create the event' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await operator.context.addCookies(cookies);
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Written before the end' }).waitFor();
  });

  test.each([
    ['of a unit', 30, () => `${unitPath}/commands`],
    ...(isFull ? ([['of the platform', 5, () => '/platform/commands']] as const) : []),
  ] as const)('permitted commands %s have a form', async (_, atLeast, list) => {
    await operator.visit(list());
    await page.keyboard.press('/');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    const links = page.locator('main section a');
    await links.first().waitFor();
    const urls = await links.evaluateAll((all) =>
      all.map((each) => String((each as { href?: string }).href)),
    );
    expect(urls.length).toBeGreaterThan(atLeast);
    // The full size opens every command, the default one of three.
    for (const url of urls.filter((_, i) => isFull || i % 3 === 0)) {
      const { pathname } = new URL(url);
      expect(pathname.startsWith(`${list()}/`)).toBe(true);
      await operator.visit(pathname);
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
      const name = `Copy the name of the command: ${pathname.split('/').at(-1)}`;
      await page.getByRole('button', { name, exact: true }).waitFor();
    }
  });

  test('loads less than 205 kB of JavaScript first, and causes no error', async () => {
    const bodies: Promise<number>[] = [];
    const fresh = await browser.newContext({ storageState: await operator.context.storageState() });
    const first = await fresh.newPage();
    first.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      bodies.push(response.body().then((body) => gzipSync(body).length));
    });
    await first.goto(`${platform.consoleUrl}${unitPath}/events`);
    await first.getByRole('link', { name: /Summit/ }).waitFor();
    const bytes = (await Promise.all(bodies)).reduce((sum, size) => sum + size, 0);
    await fresh.close();
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(205_000);
    expect(operator.failures).toEqual([]);
  });
});
