import { gzipSync } from 'node:zlib';
import { inviteMember } from '@event-api/contracts/operator/members';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, violationsOf } from './browser.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { rawClient } from './raw-client.ts';

const hostile = '<img src=x onerror="window.isHacked=true">';

let platform: PlatformFixture;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let unitPath: string;
let eventPath: string;
const failures: string[] = [];
/** Sends a request as an integrator of the unit does. */
// biome-ignore lint/suspicious/noExplicitAny: the tests read ids of records.
let send: (method: string, path: string, body: object) => Promise<any>;
let apiPath: string;
let seatId: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), launchBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  await createConference(secret);
  const { link } = await platform.operator.call(inviteMember, {
    businessUnitId: unitId,
    role: 'owner',
  });
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(link);
  await page.getByRole('button', { name: /Olivia/ }).click();
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  unitPath = `${platform.consoleUrl}/u/${unitId}`;
  await page.goto(`${unitPath}/events`);
  await page.getByRole('link', { name: /Summit/ }).click();
  await page.getByRole('heading', { level: 1, name: /Summit/ }).waitFor();
  eventPath = page.url();
}, 600_000);
afterAll(async () => {
  await browser?.close();
});

/** An event on sale with a pending person, a confirmed person with a hostile name, and a code. */
async function createConference(secret: string): Promise<void> {
  const request = rawClient(platform.baseUrl, secret);
  send = async (method, path, body) => {
    const response = await request({ method, path, body: JSON.stringify(body) });
    expect(response.status).toBeLessThan(300);
    return JSON.parse(response.body);
  };
  const startsAt = '2027-05-10T09:00:00+02:00';
  const event = await send('POST', '/v1/events', {
    name: `Summit ${hostile}`,
    timezone: 'Europe/Berlin',
    startsAt,
  });
  const path = `/v1/events/${event.id}`;
  apiPath = path;
  await send('PATCH', path, { status: 'published' });
  const types = [
    { name: 'Seat', capacity: 20, priceAmount: 2500 },
    { name: 'Student', requiresApproval: true },
  ];
  for (const [index, type] of types.entries()) {
    const { id } = await send('POST', `${path}/ticket-types`, type);
    if (index === 0) seatId = id;
    await send('PATCH', `${path}/ticket-types/${id}`, { status: 'open' });
    const name = index === 0 ? `Ada ${hostile}` : 'Grace Hopper';
    const email = index === 0 ? 'ada@example.com' : 'grace@example.com';
    await send('POST', `${path}/registrations`, { email, name, registrationTypeId: id });
    if (index === 0) await send('POST', `${path}/redemption-codes`, { registrationTypeId: id });
  }
}

const pages = {
  events: () => `${unitPath}/events`,
  'new event': () => `${unitPath}/events/new`,
  overview: () => eventPath,
  tickets: () => `${eventPath}/tickets`,
  registrations: () => `${eventPath}/registrations`,
  orders: () => `${eventPath}/orders`,
  codes: () => `${eventPath}/codes`,
  perks: () => `${eventPath}/perks`,
  program: () => `${eventPath}/program`,
  exhibitors: () => `${eventPath}/exhibitors`,
  form: () => `${eventPath}/form`,
  settings: () => `${eventPath}/settings`,
  refunds: () => `${unitPath}/refunds`,
  team: () => `${unitPath}/team`,
  keys: () => `${unitPath}/keys`,
  webhooks: () => `${unitPath}/webhooks`,
  'audit log': () => `${unitPath}/audit`,
  commands: () => `${unitPath}/commands`,
  account: () => `${platform.consoleUrl}/account`,
};

async function open(url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
}

const looks = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 1440 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
];
const isFull = process.env.TEST_SIZE === 'full';

describe.each(isFull ? looks : [looks[0], looks[3]].filter((look) => !!look))(
  'the console in $theme at $width pixels',
  ({ theme, width }) => {
    test.each(Object.entries(pages))('%s is accessible', async (_, urlOf) => {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(`localStorage.setItem('theme', '${theme}')`);
      await open(urlOf());
      expect(await violationsOf(page)).toEqual([]);
      const scrolls = await page.evaluate<boolean>(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      expect(scrolls).toBe(false);
    });
  },
);

describe('tasks in the console', () => {
  beforeAll(() => page.setViewportSize({ width: 1440, height: 900 }));

  test('a person is found by Ctrl+K, a part of the name, and Enter', async () => {
    await open(eventPath);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').last().fill('grac');
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    expect(page.url()).toContain('/registrations/reg_');
  });

  test('the overview counts a new registration without a reload', async () => {
    await open(eventPath);
    await page.getByText('Live', { exact: true }).waitFor();
    const figure = page.locator('[data-figure="Confirmed"]');
    await figure.filter({ hasText: /^1$/ }).waitFor();
    await send('POST', `${apiPath}/registrations`, {
      email: 'live@example.com',
      name: 'Linus Live',
      registrationTypeId: seatId,
    });
    await figure.filter({ hasText: /^2$/ }).waitFor();
  });

  test('the overview says that its figures are stale while the stream is away', async () => {
    await page.route(/\/live$/, (route) => route.abort());
    await open(eventPath);
    await page.getByText(/^Reconnecting/).waitFor();
    await page.getByText(/^Not live/).waitFor();
    await page.unroute(/\/live$/);
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('approves the selected people and shows the result of each', async () => {
    await open(`${eventPath}/registrations?status=pending`);
    await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).check();
    await page.getByRole('button', { name: 'Approve 1 person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Result for each person' });
    await dialog.getByText('Confirmed').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Nobody fits these filters').waitFor();
  });

  test('a key is created in three clicks and revoked in two', async () => {
    await open(`${unitPath}/keys`);
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Box office');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('sk_live_', { exact: false }).last().waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke Box office' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke Box office' }).click();
    await page
      .getByText(/Box office is revoked since/)
      .first()
      .waitFor();
  });

  test('a rejected form keeps what was typed and names the field', async () => {
    await open(`${unitPath}/events/new`);
    await page.getByLabel('Name', { exact: true }).fill('Backwards');
    await page.getByLabel(/^Starts/).fill('2027-05-10T09:00');
    await page.getByLabel(/^Ends/).fill('2027-05-09T09:00');
    await page.getByRole('button', { name: 'Create the event' }).click();
    await page.getByText('One field needs attention').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Backwards');
  });

  test('a new question keeps its id when the page cannot be read again', async () => {
    await open(`${eventPath}/form`);
    await page.getByRole('button', { name: 'Add a question' }).click();
    await page.getByLabel('Question', { exact: true }).fill('Diet');
    await page.route(/\/v1\/events\/[^/]+\/form$/, (route) => route.abort());
    const save = page.getByRole('button', { name: 'Save' }).first();
    await save.click();
    await page.getByText('The form is saved').waitFor();
    expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe('Diet');
    await page.getByLabel('Question', { exact: true }).fill('Food');
    const saved = page.waitForResponse(/operator\/form\.set/);
    await save.click();
    const { questions } = await (await saved).json();
    await page.unroute(/\/v1\/events\/[^/]+\/form$/);
    expect(questions).toMatchObject([{ id: 'diet', label: 'Food' }]);
  });

  test('a submission continues after the session has ended and the person signs in again', async () => {
    await open(`${unitPath}/events/new`);
    await page.getByLabel('Name', { exact: true }).fill('Written before the end');
    const cookies = await context.cookies();
    await context.clearCookies();
    await page.getByRole('button', { name: 'Create the event' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await context.addCookies(cookies);
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Written before the end' }).waitFor();
  });

  test('shows text of strangers as text', async () => {
    await open(`${eventPath}/registrations`);
    await page.getByText(`Ada ${hostile}`).waitFor();
    expect(await page.evaluate(`'isHacked' in window`)).toBe(false);
  });

  test('every permitted command has a form', async () => {
    await open(`${unitPath}/commands`);
    const links = page.locator('main section a');
    await links.first().waitFor();
    const urls = await links.evaluateAll((all) =>
      all.map((each) => String((each as { href?: string }).href)),
    );
    expect(urls.length).toBeGreaterThan(30);
    for (const url of urls) {
      const name = url.split('/').at(-1) ?? '';
      await page.goto(url);
      await page.getByRole('button', { name: `Run ${name}` }).waitFor();
    }
  });

  test('loads less than 200 kB of JavaScript first, and causes no error', async () => {
    const bodies: Promise<number>[] = [];
    const fresh = await browser.newContext({ storageState: await context.storageState() });
    const first = await fresh.newPage();
    first.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      bodies.push(response.body().then((body) => gzipSync(body).length));
    });
    await first.goto(`${unitPath}/events`);
    await first.getByRole('link', { name: /Summit/ }).waitFor();
    const bytes = (await Promise.all(bodies)).reduce((sum, size) => sum + size, 0);
    await fresh.close();
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(200_000);
    expect(failures).toEqual([]);
  });
});
