import { inviteMember, inviteOperator } from '@event-api/contracts/operator/members';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostile } from './console/conference.ts';
import { visit, visitor } from './console/operator.ts';
import { outside } from './console/routes.ts';
import { stepsOf } from './examples/steps.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { startWebhookReceiver, type WebhookReceiver } from './fixtures/webhook-receiver.ts';

/** What `npm run test:full` adds. */
const isFull = process.env.TEST_SIZE === 'full';

let platform: PlatformFixture;
let browser: Browser;
let unitId: string;
let secret: string;
let owner: Page;
let unitPath: string;
const failures: string[] = [];

/** Signs a demo operator in with the link of an invitation, in a browser of its own. */
async function accept(link: string, name: RegExp): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(link);
  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'invited' }).waitFor();
  return page;
}

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  ({ unitId, secret } = await platform.newUnit());
  const { link } = await platform.operator.call(inviteMember, {
    businessUnitId: unitId,
    role: 'owner',
  });
  owner = await accept(link, /Olivia/);
  unitPath = `/u/${unitId}`;
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(failures).toEqual([]);
});

async function open(path: string, heading: string): Promise<void> {
  await visit(owner, `${unitPath}/${path}`);
  await owner.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** The text of the secret that a dialog shows once. */
async function shownSecret(label: string, page = owner): Promise<string> {
  const name = (await page.getByRole('button', { name: label }).getAttribute('aria-label')) ?? '';
  return name.slice(`${label}: `.length);
}

test('the pages before a sign-in are accessible, and the start leads to one', async () => {
  // The full size has another theme and width.
  const looks = [
    { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  ] as const;
  const problems: Record<string, string[]> = {};
  for (const look of looks.slice(0, isFull ? 2 : 1)) {
    const context = await browser.newContext({ ...look, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const methods = page.getByRole('button', { name: /Olivia/ });
    await page.goto(platform.consoleUrl);
    await methods.waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    for (const path of outside.filter((each) => each !== '/')) {
      // The page of an invitation asks for a sign-in only with the secret of a link.
      await visit(page, path === '/invitation' ? `${path}#secret` : path);
      if (path !== '/signed-in') await methods.waitFor();
      const found = await violationsOf(page);
      const scrolls = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      if (await page.evaluate<boolean>(scrolls)) found.push('it scrolls sideways');
      if (found.length > 0) problems[`${path} in ${look.colorScheme}`] = found;
    }
    await context.close();
  }
  expect(problems).toEqual({});
});

test('the start leads to the sign-in, also when it is opened again meanwhile', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const methods = page.getByRole('button', { name: /Olivia/ });
  await page.goto(platform.consoleUrl);
  await methods.waitFor();
  await page.evaluate(`new Promise((resolve) => {
    const stop = __TSR_ROUTER__.subscribe('onBeforeNavigate', ({ toLocation }) => {
      if (toLocation.pathname !== '/sign-in') return;
      stop();
      queueMicrotask(() => resolve(__TSR_ROUTER__.navigate({ href: '/' })));
    });
    __TSR_ROUTER__.navigate({ href: '/' });
  })`);
  await methods.waitFor();
  expect(page.url()).toMatch(/\/sign-in\?returnTo=%2F$/);
  await context.close();
});

describe('the team', () => {
  test('gets a member by a link that is shown once', async () => {
    await open('team', 'Team');
    await owner.getByRole('button', { name: 'Invite a person' }).click();
    await owner.getByLabel('Role', { exact: true }).selectOption('viewer');
    await owner.getByRole('button', { name: 'Create the link' }).click();
    const link = await shownSecret('Copy the link');
    expect(link).toContain('/invitation#');
    await owner.getByRole('button', { name: 'Done' }).click();
    await owner.getByRole('button', { name: /Revoke the invitation/ }).waitFor();
    expect(await owner.content()).not.toContain(link.split('#')[1]);
    const viewer = await accept(link, /Vera/);
    expect(await viewer.getByRole('link', { name: 'Team' }).count()).toBe(0);
    await owner.reload();
    await owner.getByRole('table', { name: 'Members' }).getByText('Vera Viewer').waitFor();
    await owner.getByText('No open invitations').waitFor();
  });

  test('has the new role of a member at once', async () => {
    await open('team', 'Team');
    await owner.getByRole('button', { name: 'Actions for Vera Viewer' }).click();
    await owner.getByRole('menuitem', { name: 'Change the role' }).click();
    await owner.getByLabel('Role', { exact: true }).selectOption('finance');
    await owner.getByRole('button', { name: 'Save the role' }).click();
    await owner
      .getByRole('row', { name: /Vera Viewer/ })
      .getByText('Finance')
      .waitFor();
  });

  test('keeps its last owner and says why', async () => {
    await open('team', 'Team');
    await owner.getByRole('button', { name: 'Actions for Olivia Owner' }).click();
    await owner.getByRole('menuitem', { name: 'Remove from the team' }).click();
    await owner.getByRole('button', { name: 'Remove Olivia Owner' }).click();
    await owner
      .getByRole('alert')
      .getByText(/needs one owner/)
      .waitFor();
    await owner.getByRole('button', { name: 'Cancel' }).click();
    await owner.getByRole('row', { name: /Olivia Owner/ }).waitFor();
  });

  test('revokes a link, and removes a member', async () => {
    await open('team', 'Team');
    await owner.getByRole('button', { name: 'Invite a person' }).click();
    await owner.getByLabel('Email').fill('nina@example.com');
    await owner.getByRole('button', { name: 'Create the link' }).click();
    await owner.getByText(/only nina@example.com can accept/).waitFor();
    await owner.getByRole('button', { name: 'Done' }).click();
    const revoke = { name: 'Revoke the invitation of nina@example.com' };
    await owner.getByRole('button', revoke).click();
    await owner.getByRole('dialog').getByRole('button', revoke).click();
    await owner.getByText('No open invitations').waitFor();
    await owner.getByRole('button', { name: 'Actions for Vera Viewer' }).click();
    await owner.getByRole('menuitem', { name: 'Remove from the team' }).click();
    await owner.getByRole('button', { name: 'Remove Vera Viewer' }).click();
    await owner.getByRole('row', { name: /Vera Viewer/ }).waitFor({ state: 'detached' });
  });
});

test('a restricted key is created in three clicks, permits its groups only, and is revoked in three clicks with the time of its effect', async () => {
  await open('keys', 'API keys');
  const { click, clicks } = visitor(owner.context(), owner);
  await click(owner.getByRole('button', { name: 'New key' }).first());
  const dialog = owner.getByRole('dialog', { name: 'New key' });
  await dialog.getByLabel('Name', { exact: true }).and(owner.locator(':focus')).waitFor();
  await owner.keyboard.type('Door app');
  const consequence = dialog.getByRole('status');
  expect(await consequence.textContent()).toBe(
    'This key permits nothing yet. Choose what it is for.',
  );
  await click(dialog.getByRole('checkbox', { name: /^Doors/ }));
  expect(await consequence.textContent()).toBe(
    'This key is restricted. It permits only: Doors. It is for all events.',
  );
  expect(await violationsOf(owner)).toEqual([]);
  await takePicture(owner, 'console-restricted-key');
  await click(dialog.getByRole('button', { name: 'Create the restricted key' }));
  const secret = await shownSecret('Copy the secret');
  expect(clicks()).toBeLessThanOrEqual(3);
  expect(secret).toMatch(/^rk_live_/);
  await owner.getByRole('button', { name: 'Done' }).click();
  const row = owner.getByRole('row', { name: /Door app/ });
  await row.getByText('Doors').waitFor();
  expect(await owner.content()).not.toContain(secret);
  const statusOf = async () => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`${platform.baseUrl}/v1/events`, { headers })).status;
  };
  expect(await statusOf()).toBe(403);
  const before = clicks();
  await click(row.getByRole('button', { name: 'Revoke Door app' }));
  const sent = owner.waitForResponse(/operator\/key\.revoke$/);
  await click(owner.getByRole('dialog').getByRole('button', { name: 'Revoke Door app' }));
  const { revokedAt } = await (await sent).json();
  const status = row.getByRole('cell', { name: /^Revoked \d+ \w+ \d{4}, \d\d:\d\d/ });
  const time = status.locator(`time[datetime="${revokedAt}"]`);
  await owner
    .getByText(`Door app is revoked since ${await time.textContent()}`)
    .first()
    .waitFor();
  expect(clicks() - before).toBeLessThanOrEqual(3);
  await expect.poll(statusOf).toBe(401);
  await owner.getByRole('button', { name: 'New key' }).first().click();
  await dialog.getByLabel('Name', { exact: true }).fill('Everything');
  await dialog.getByRole('checkbox', { name: /^Permit everything/ }).check();
  expect(await consequence.textContent()).toMatch(/^This key is not restricted\..* everything/);
  await dialog.getByRole('button', { name: 'Create an unrestricted key' }).click();
  expect(await shownSecret('Copy the secret')).toMatch(/^sk_live_/);
  await owner.getByRole('button', { name: 'Done' }).click();
});

describe('a webhook endpoint', () => {
  test('is created with a secret that is shown once', async () => {
    await open('webhooks', 'Webhooks');
    await owner.getByRole('button', { name: 'New endpoint' }).first().click();
    await owner.getByLabel('Address').fill('http://shop.example/hooks');
    await owner.getByRole('button', { name: 'Create the endpoint' }).click();
    await owner.getByText('One field needs attention').waitFor();
    await owner.getByLabel('Address').fill('https://shop.example/hooks');
    await owner.getByLabel('Send every type of change').uncheck();
    await owner.getByLabel('Order paid').check();
    await owner.getByRole('button', { name: 'Create the endpoint' }).click();
    const secret = await shownSecret('Copy the secret');
    expect(secret).toMatch(/^whsec_/);
    await owner.getByRole('button', { name: 'Done' }).click();
    const created = owner.getByRole('link', { name: 'https://shop.example/hooks' });
    const status = owner.getByRole('combobox', { name: 'Status' });
    await status.selectOption('disabled');
    await owner.getByText('No endpoint has this status').waitFor();
    expect(await owner.getByText('No webhook endpoints yet').count()).toBe(0);
    await status.selectOption('');
    await created.click();
    await owner.getByRole('heading', { name: 'https://shop.example/hooks' }).waitFor();
    expect(owner.url()).toContain('/webhooks/whe_');
    expect(await owner.content()).not.toContain(secret);
  });

  test('shows its deliveries, and gets another secret', async () => {
    await owner.getByRole('table', { name: 'Deliveries' }).getByText('ping').first().waitFor();
    expect(await violationsOf(owner)).toEqual([]);
    await owner.getByRole('button', { name: 'More actions' }).click();
    await owner.getByRole('menuitem', { name: 'Replace the secret' }).click();
    await owner.getByRole('button', { name: 'Replace the secret of shop.example' }).click();
    expect(await shownSecret('Copy the secret')).toMatch(/^whsec_/);
    await owner.getByRole('button', { name: 'Done' }).click();
  });

  test('is disabled and enabled, and its timeline says who has done what', async () => {
    const detail = owner.getByRole('complementary', { name: 'Endpoint' });
    await owner.getByRole('button', { name: 'More actions' }).click();
    await owner.getByRole('menuitem', { name: 'Disable' }).click();
    await owner.getByRole('button', { name: 'Disable shop.example' }).click();
    await detail.getByText('On request').waitFor();
    await detail.getByRole('button', { name: 'Enable' }).click();
    await owner.getByRole('button', { name: 'Enable the endpoint' }).click();
    await detail.getByText('Waiting for ping').first().waitFor();
    const timeline = detail.getByRole('region', { name: 'Timeline' }).getByRole('listitem');
    for (const what of ['Created', 'Secret replaced', 'Changed']) {
      await timeline
        .filter({ hasText: what })
        .filter({ hasText: 'Olivia Owner' })
        .first()
        .waitFor();
    }
  });
});

describe('a delivery to an endpoint that fails', () => {
  const answer = `Out of stock ${hostile}`;
  let receiver: WebhookReceiver;
  let endpointId: string;
  let eventId: string;
  let delivery: { id: string; changeId: string; sequence: number };
  let isBroken = true;
  beforeAll(async () => {
    receiver = await startWebhookReceiver(({ body }, response) => {
      const fails = isBroken && JSON.parse(body).type !== 'ping';
      response.writeHead(fails ? 500 : 204, { 'content-type': 'text/html' });
      response.end(fails ? answer : '');
    });
    const authorization = `Bearer ${secret}`;
    const { create, get, patch } = stepsOf(httpClient(platform.baseUrl, { authorization }));
    const path = '/v1/webhook-endpoints';
    endpointId = String((await create(path, { url: receiver.url })).id);
    await eventually(async () =>
      expect(await get(`${path}/${endpointId}`)).toMatchObject({ status: 'enabled' }),
    );
    const event = {
      name: 'Fair',
      timezone: 'Europe/Berlin',
      startsAt: '2027-05-10T09:00:00+02:00',
    };
    eventId = String((await create('/v1/events', event)).id);
    await patch(`/v1/events/${eventId}`, { status: 'published' });
    delivery = await eventually(async () => {
      const { deliveries } = await get(`${path}/${endpointId}/deliveries?result=retrying`);
      const last = (deliveries as (typeof delivery)[]).at(-1);
      if (!last) throw new Error('there is no failed attempt yet');
      return last;
    });
  });
  afterAll(() => receiver?.close());

  const dialog = () =>
    owner.getByRole('dialog', { name: `event.created ${delivery.sequence}`, exact: true });
  const region = (name: string) => dialog().getByRole('region', { name, exact: true });

  const rowOfDelivery = () =>
    owner
      .getByRole('table', { name: 'Deliveries' })
      .getByRole('row', { name: /event\.created/ })
      .last();

  /** The page is read again, also what a test has changed. */
  const openByAddress = () =>
    owner.goto(`${platform.consoleUrl}${unitPath}/webhooks/${endpointId}?delivery=${delivery.id}`);

  test('opens from its row, by keyboard, and Escape closes only it', async () => {
    await visit(owner, `${unitPath}/webhooks/${endpointId}`);
    const row = rowOfDelivery();
    const link = row.getByRole('link');
    expect(await link.textContent()).toContain(`event.created ${delivery.sequence}`);
    expect(await link.textContent()).toMatch(/\d{4}, \d\d:\d\d:\d\d\s/);
    expect(await row.getByRole('cell').nth(1).textContent()).toContain('500');
    // The panel has room for the table.
    const table = owner.getByRole('table', { name: 'Deliveries' });
    const box = table.locator('xpath=..');
    const width = (name: string) =>
      box.evaluate<number, string>((of, key) => Reflect.get(of, key), name);
    expect(await width('scrollWidth')).toBe(await width('clientWidth'));
    await link.focus();
    await owner.keyboard.press('Enter');
    await dialog().waitFor();
    expect(new URL(owner.url()).searchParams.get('delivery')).toBe(delivery.id);
    await owner.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await owner.getByRole('heading', { name: receiver.url }).waitFor();
    expect(new URL(owner.url()).search).toBe('');
    const opened = await link.getAttribute('href');
    expect(await owner.locator(':focus').getAttribute('href')).toBe(opened);
  });

  test('shows the request without its signature, and the response as text, also by its address', async () => {
    await openByAddress();
    await region('Request').getByText(`POST ${receiver.url}`).waitFor();
    const headers = await region('Headers').textContent();
    for (const name of ['webhook-timestamp', 'webhook-cursor', delivery.changeId])
      expect(headers).toContain(name);
    expect(headers).not.toContain('v1,');
    const body = await region('Body of the request').textContent();
    expect(body).toContain('"type": "event.created"');
    const sent = receiver.received.find(
      ({ headers: of }) => of['webhook-id'] === delivery.changeId,
    );
    expect(JSON.parse(body ?? '')).toEqual(JSON.parse(sent?.body ?? ''));
    expect(await region('Response').textContent()).toContain('500');
    expect(await region('Body of the response').textContent()).toBe(answer);
    expect(await owner.evaluate('window.isHacked')).toBe(undefined);
    expect(await violationsOf(owner)).toEqual([]);
    // Nothing has opened the dialog that could get the focus back.
    const link = owner.locator(`tr a[href$="delivery=${delivery.id}"]`);
    await link.waitFor();
    await owner.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await link.evaluate((each) => each.matches(':focus'))).toBe(true);
  });

  test.runIf(isFull)('says what is not kept any more, and is then not sent again', async () => {
    await owner.route('**/deliveries/whd_*', async (route) => {
      const response = await route.fetch();
      const { request, ...attempt } = await response.json();
      await route.fulfill({ response, json: { ...attempt, request: { ...request, body: null } } });
    });
    await openByAddress();
    await dialog().getByText('The feed does not keep this change any more').waitFor();
    expect(await dialog().getByRole('button', { name: 'Send again' }).count()).toBe(0);
    // A row that the filter hides cannot get the focus.
    await owner.evaluate(
      `__TSR_ROUTER__.navigate({ to: '.', search: (all) => ({ ...all, result: 'delivered' }) })`,
    );
    await owner.locator(`tr a[href*="delivery=${delivery.id}&"]`).waitFor({ state: 'detached' });
    await owner.locator('tr a[href*="&result=delivered"]').first().waitFor();
    await owner.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const focused = await owner.evaluate('document.activeElement.textContent');
    await owner.unroute('**/deliveries/whd_*');
    expect(focused).toBe(receiver.url);
  });

  test.runIf(isFull)('needs attention in the overview of the events', async () => {
    await visit(owner, `${unitPath}/events/${eventId}`);
    await owner.getByRole('link', { name: '1 webhook endpoint gets no deliveries' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await owner.getByRole('row', { name: receiver.url }).getByText('Failing').waitFor();
  });

  test('is sent again', async () => {
    isBroken = false;
    await openByAddress();
    const before = receiver.received.length;
    await dialog().getByRole('button', { name: 'Send again' }).click();
    await owner.getByText('The change is sent again').waitFor();
    await eventually(() => {
      const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
      expect(ids).toContain(delivery.changeId);
    });
  });

  test.runIf(isFull)('is part of a replay that ends at the newest change', async () => {
    const authorization = `Bearer ${secret}`;
    const { get } = stepsOf(httpClient(platform.baseUrl, { authorization }));
    // One replay runs at a time.
    await eventually(async () =>
      expect(await get(`/v1/webhook-endpoints/${endpointId}`)).toMatchObject({ replay: null }),
    );
    await visit(owner, `${unitPath}/webhooks/${endpointId}`);
    await owner.getByRole('button', { name: 'More actions' }).click();
    await owner.getByRole('menuitem', { name: 'Deliver again' }).click();
    const form = owner.getByRole('dialog', { name: 'Deliver changes again' });
    await form.getByLabel('From change').fill(String(delivery.sequence));
    const replayed = owner.waitForResponse(/\/replay$/);
    await form.getByRole('button', { name: 'Deliver again' }).click();
    const { from, to } = await (await replayed).json();
    await form.waitFor({ state: 'detached' });
    expect({ from, to }).toEqual({
      from: delivery.sequence,
      to: (await get('/v1/changes/head')).sequence,
    });
  });
});

describe('the audit log', () => {
  test('says who did what, newest first, and is filtered in the address', async () => {
    await open('audit', 'Audit log');
    const rows = owner.locator('main tbody tr');
    const created = rows.filter({ hasText: 'Created the webhook endpoint' }).first();
    await created.waitFor();
    const refused = rows.filter({ hasText: 'Each business unit needs one owner' });
    await refused.getByText('Refused').waitFor();
    await owner.getByRole('combobox', { name: 'Action' }).selectOption('member.setRole');
    await owner.waitForURL(/operation=member\.setRole/);
    await created.waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'Changed the role of' }).getByText('Olivia Owner').waitFor();
    await owner.reload();
    await rows.filter({ hasText: 'Changed the role of' }).first().waitFor();
    if (isFull) {
      // The client of the tests names no user.
      await platform.sql(
        `update console.audit_entry set actor_id = 'root' where business_unit_id = $1 and actor_type = 'cli'`,
        [unitId],
      );
      await visit(owner, `${unitPath}/audit`);
      const person = owner.getByRole('combobox', { name: 'Person' });
      const user = person.getByRole('option', { name: 'Command line: root' });
      await person.selectOption(await user.getAttribute('value'));
      await rows.filter({ hasText: 'Olivia Owner' }).first().waitFor({ state: 'detached' });
      await rows.filter({ hasText: 'Command line: root' }).first().waitFor();
    }
    await visit(owner, `${unitPath}/audit?from=2020-01-01&to=2020-01-02`);
    await owner.getByText('No entry fits these filters').waitFor();
  });

  test('has its times, as all pages of the unit, in the zone that its events share', async () => {
    const { get, create } = stepsOf(
      httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }),
    );
    const { events } = await get('/v1/events');
    const [{ timezone } = { timezone: 'Asia/Tokyo' }] = events;
    await create('/v1/events', { name: 'Noh', timezone });
    // The person is somewhere else.
    const context = await browser.newContext({
      storageState: await owner.context().storageState(),
      timezoneId: 'America/Los_Angeles',
    });
    const page = await context.newPage();
    await page.goto(`${platform.consoleUrl}${unitPath}/audit`);
    await page.getByText(`Times in ${timezone}`).waitFor();
    await visit(page, `${unitPath}/keys`);
    const revoked = page.getByText(/^Revoked \d/).locator('time');
    const at = (await revoked.first().getAttribute('datetime')) ?? '';
    const hour = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone });
    expect(await revoked.first().textContent()).toContain(hour.format(new Date(at)));
    await context.close();
  });

  test('opens an entry with the records, the fields and the request, and the others of its kind', async () => {
    await visit(owner, `${unitPath}/audit?operation=updateWebhookEndpoint`);
    const row = owner
      .locator('main tbody tr')
      .filter({ hasText: 'of the webhook endpoint' })
      .first();
    const what = /^Show what happened: Changed the .* of the webhook endpoint http/;
    await row.getByRole('button', { name: what }).click();
    const dialog = owner.getByRole('dialog', { name: /^Changed the .* of the webhook endpoint/ });
    await dialog.getByText('Olivia Owner').waitFor();
    await dialog.getByText('updateWebhookEndpoint').waitFor();
    await dialog.getByRole('link', { name: /^http/ }).waitFor();
    await dialog.getByText(/^req_/).waitFor();
    await dialog.locator('[data-badge]').getByText('Done').waitFor();
    expect(await dialog.getByRole('listitem').count()).toBeGreaterThan(0);
    expect(await violationsOf(owner)).toEqual([]);
    await dialog.getByRole('button', { name: 'Show only: Update webhook endpoint' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(owner.url()).toMatch(/operation=updateWebhookEndpoint/);
  });
});

describe('an account', () => {
  test('lists the browsers in which the person is signed in', async () => {
    await owner.getByRole('button', { name: 'Your account: Olivia Owner' }).click();
    await owner.getByRole('menuitem', { name: 'Your account' }).click();
    await owner.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    const sessions = owner.getByRole('table', { name: 'Where you are signed in' });
    await sessions.getByText('This browser').waitFor();
    await owner.getByText('olivia@example.com').waitFor();
  });

  test.runIf(isFull)('is signed out everywhere', async () => {
    const context = await browser.newContext({
      storageState: await owner.context().storageState(),
    });
    const other = await context.newPage();
    await other.goto(`${platform.consoleUrl}${unitPath}/events`);
    await other.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await visit(owner, '/account');
    await owner.getByRole('button', { name: 'Sign out everywhere' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await owner.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    await other.goto(`${platform.consoleUrl}${unitPath}/events`);
    await other.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  });
});

describe('the platform', () => {
  let admin: Page;
  beforeAll(async () => {
    const { link } = await platform.operator.call(inviteOperator, { platformAdmin: true });
    admin = await accept(link, /Paula/);
  });

  test.runIf(isFull)('gets a business unit and the link of its first owner', async () => {
    await visit(admin, '/platform');
    await admin.getByRole('button', { name: 'New business unit' }).first().click();
    await admin.getByLabel('Name', { exact: true }).fill('Fresh Events');
    await admin.getByLabel(/^Currency/).fill('chf');
    await admin.getByRole('button', { name: 'Create the business unit' }).click();
    const row = admin.getByRole('row', { name: /Fresh Events/ }).first();
    await row.getByText('CHF').waitFor();
    await row.getByRole('button', { name: 'Invite an owner of Fresh Events' }).click();
    await admin.getByRole('button', { name: 'Create the link' }).click();
    const link = await shownSecret('Copy the link', admin);
    await admin.getByRole('button', { name: 'Done' }).click();
    // Olivia is a member of another unit too.
    const first = await accept(link, /Olivia/);
    await first
      .getByRole('combobox', { name: 'Business unit' })
      .locator('option:checked', { hasText: 'Fresh Events' })
      .waitFor({ state: 'attached' });
  });

  test('shows which processes are ready, and accounts for the money', async () => {
    await visit(admin, '/platform/system');
    const parts = admin.getByRole('table', { name: 'Processes' });
    await parts.getByRole('row').nth(7).waitFor();
    expect(await parts.getByText('Ready').count()).toBe(7);
    await admin.getByRole('button', { name: 'Run the reconciliation' }).click();
    await admin.getByRole('region', { name: 'The last run' }).getByText('Refunds due').waitFor();
  });

  test.runIf(isFull)(
    'gets administrators by links, which can be revoked, and removes one',
    async () => {
      await visit(admin, '/platform/administrators');
      const invite = async () => {
        await admin.getByRole('button', { name: 'Invite an administrator' }).click();
        await admin.getByRole('button', { name: 'Create the link' }).click();
        const link = await shownSecret('Copy the link', admin);
        await admin.getByRole('button', { name: 'Done' }).click();
        return link;
      };
      await invite();
      const open = admin.getByRole('table', { name: 'Open invitations' });
      await open.getByRole('button', { name: 'Revoke the invitation' }).click();
      await admin
        .getByRole('dialog')
        .getByRole('button', { name: 'Revoke the invitation' })
        .click();
      await admin.getByText('No open invitations').waitFor();

      const fiona = await accept(await invite(), /Fiona/);
      await admin.reload();
      const row = admin
        .getByRole('table', { name: 'Administrators' })
        .getByRole('row', { name: /^Fiona/ });
      await row.getByRole('button', { name: /^Remove Fiona/ }).click();
      await admin
        .getByRole('dialog')
        .getByRole('button', { name: /^Remove Fiona/ })
        .click();
      await row.waitFor({ state: 'detached' });
      await fiona.goto(`${platform.consoleUrl}/platform/administrators`);
      await fiona.getByRole('alert').first().waitFor();
      expect(await fiona.getByRole('table', { name: 'Administrators' }).count()).toBe(0);
    },
  );

  test.runIf(isFull)('is no page for others', async () => {
    const { link } = await platform.operator.call(inviteMember, {
      businessUnitId: unitId,
      role: 'viewer',
    });
    const viewer = await accept(link, /Vera/);
    await visit(viewer, '/platform/system');
    await viewer.getByRole('alert').first().waitFor();
    expect(await viewer.getByRole('table', { name: 'Processes' }).count()).toBe(0);
  });
});
