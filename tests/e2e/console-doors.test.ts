import { listDevices } from '@event-api/contracts/operator/devices';
import { createVenue } from '@event-api/contracts/operator/program';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { type Steps, stepsOf } from './examples/steps.ts';
import { urls } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let operator: Operator;
let page: Page;
let steps: Steps;
let path: string;
let scope: { businessUnitId: string; eventId: string };
let registrationId: string;
let hallId: string;
let eventPage: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  steps = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }));
  const { id: eventId } = await steps.create('/v1/events', {
    name: 'Summit',
    timezone: 'UTC',
    startsAt: '2027-05-10T09:00:00Z',
  });
  path = `/v1/events/${eventId}`;
  await steps.patch(path, { status: 'published' });
  const { id } = await steps.create(`${path}/ticket-types`, { name: 'Seat' });
  await steps.patch(`${path}/ticket-types/${id}`, { status: 'open' });
  const ada = { name: 'Ada Lovelace', email: 'ada@example.com', registrationTypeId: id };
  registrationId = (await steps.create(`${path}/registrations`, ada)).registration.id;
  scope = { businessUnitId: unitId, eventId };
  const hall = await platform.operator.call(createVenue, { ...scope, name: 'Main hall' });
  hallId = hall.id;
  operator = await signInAs(platform, browser, { unitId, role: 'door' });
  page = operator.page;
  eventPage = `/u/${unitId}/events/${eventId}`;
  await operator.visit(`${eventPage}/doors`);
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
});

const device = (name: string) =>
  page.getByRole('table', { name: 'Devices' }).getByRole('row', { name: new RegExp(`^${name}`) });

/**
 * Ends the dialog as soon as it says that a scanner has used the code: the list then has the
 * device.
 */
async function finish(name: string): Promise<void> {
  await page.getByRole('dialog', { name: `${name} is paired` }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
}

/** Fills the dialog, and returns the pairing code in the address of the QR. */
async function pair(name: string): Promise<string> {
  await page.getByRole('button', { name: 'Pair a device' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Pair a device' });
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('checkbox', { name: 'Main hall' }).check();
  await dialog.getByRole('button', { name: 'Show the QR' }).click();
  await page.getByRole('img', { name: 'QR code with the address of the scanner' }).waitFor();
  const copy = page.getByRole('button', { name: /^Copy the address of the scanner/ });
  const [, code = ''] = /\/scanner\/#(pc_live_\w{32})/.exec(String(await copy.textContent())) ?? [];
  return code;
}

const use = async (code: string, installationId: string) => {
  const scanner = httpClient(platform.baseUrl, { authorization: `Bearer ${code}` });
  return scanner('POST', '/v1/device/pair', { body: { installationId } });
};

test('a door counts a check-in without a reload', async () => {
  await page.getByText('Live', { exact: true }).waitFor();
  const count = page.locator('[data-door="Entrance of the event"]');
  await count.filter({ hasText: /^0$/ }).waitFor();
  await steps.create(`${path}/checkins`, { registrationId, subjectType: 'event' });
  await count.filter({ hasText: /^1$/ }).waitFor();
  await page.getByText('Nobody yet: Main hall').waitFor();
});

test('a device is paired with a QR in less than 30 seconds, and the page says so', async () => {
  await page.getByText('No devices yet').waitFor();
  const startedAt = performance.now();
  const code = await pair('Volunteer 1');
  expect(await page.getByRole('timer').textContent()).toMatch(/^Valid for (10:00|9:\d\d)$/);
  expect(await violationsOf(page)).toEqual([]);
  const qr = page.getByRole('img', { name: 'QR code with the address of the scanner' });
  const box = await qr.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(0.9 * 900);
  const { status, body } = await use(code, 'volunteer-phone-1');
  expect(status).toBe(200);
  expect(body.device.doors).toMatchObject([{ subjectType: 'venue', name: 'Main hall' }]);
  await finish('Volunteer 1');
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  await device('Volunteer 1').getByText('Paired').waitFor();
  await device('Volunteer 1').getByText('Main hall').waitFor();
});

test('a device that is paired again keeps its row, and the dialog says that it is paired', async () => {
  const code = await pair('Volunteer one');
  const listed = page.waitForResponse(/operator\/device\.list$/);
  expect(await (await listed).text()).toContain('Volunteer one');
  expect((await use(code, 'volunteer-phone-1')).status).toBe(200);
  await finish('Volunteer one');
  await device('Volunteer one').getByText('Paired').waitFor();
  await device('Volunteer 1').waitFor({ state: 'detached' });
});

test('a device that is revoked is rejected', async () => {
  const { body } = await use(await pair('Lost phone'), 'lost-phone-1');
  await finish('Lost phone');
  await device('Lost phone').getByText('Paired').waitFor();
  await page.getByRole('button', { name: 'Revoke Lost phone' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke Lost phone' }).click();
  await device('Lost phone').getByText('Revoked').waitFor();
  const scanner = httpClient(platform.baseUrl, { authorization: `Bearer ${body.token}` });
  await expect.poll(async () => (await scanner('GET', '/v1/device')).status).toBe(401);
});

/** When each device has sent its last request. */
const lastRequestAt = new Map<string, Date>();

/**
 * Pairs a device and reports that it has let Ada into the main hall at a time, and then refused
 * her.
 */
async function admit(name: string, scannedAt: string): Promise<void> {
  const { body } = await use(await pair(name), `installation of ${name}`.replaceAll(' ', '-'));
  await page.keyboard.press('Escape');
  await page.getByRole('timer').waitFor({ state: 'detached' });
  const scan = { scanId: name.replaceAll(' ', '-'), registrationId, scannedAt };
  const door = { subjectType: 'venue', subjectId: hallId, decision: 'admitted' };
  const client = httpClient(platform.baseUrl, { authorization: `Bearer ${body.token}` });
  const refusal = { ...scan, ...door, scanId: `${scan.scanId}-2`, decision: 'refused' };
  const sent = { sentAt: new Date().toISOString(), scans: [{ ...scan, ...door }, refusal] };
  lastRequestAt.set(name, new Date());
  const { status } = await client('POST', `${path}/checkins/batch`, { body: sent });
  expect(status).toBe(200);
}

test('a badge that two devices let in is listed with the person, both devices and the door, without a reload', async () => {
  await page.getByText('Nothing unusual').waitFor();
  // At the same time, however long the pairing takes: the clocks tell scans of four seconds apart.
  const scannedAt = new Date().toISOString();
  await admit('Left gate', scannedAt);
  await admit('Right gate', scannedAt);
  const row = page
    .getByRole('table', { name: 'Worth a look' })
    .getByRole('row', { name: /^Ada Lovelace Let in twice Main hall/ });
  // The names of the devices come with a list of their own.
  await row.filter({ hasText: /Right gate.*Left gate.*The clocks do not tell/ }).waitFor();
  await page.getByText('1 let in twice').waitFor();
  expect(await row.getByRole('link').getAttribute('href')).toContain(registrationId);
  expect(await violationsOf(page)).toEqual([]);
});

test('the list says when a device was seen, the age of its roster, and how many scans it has not sent', async () => {
  const { body } = await use(await pair('Reporting phone'), 'reporting-phone-1');
  await page.getByRole('button', { name: 'Done' }).click();
  // From here the test can move the timers of the page forward. The list is read again every ten
  // seconds.
  await page.clock.install();
  await operator.visit(`${eventPage}/program`);
  await operator.visit(`${eventPage}/doors`);
  const row = device('Reporting phone');
  await row.waitFor();
  const scanner = httpClient(platform.baseUrl, { authorization: `Bearer ${body.token}` });
  const report = { unsentScans: 12, rosterAgeMs: 10 * 60_000 };
  const { status } = await scanner('PUT', `${path}/checkins/device`, { body: report });
  expect(status).toBe(200);
  await page.clock.fastForward(10_000);
  await row.getByText('12 scans').waitFor({ timeout: 30_000 });
  expect(await row.textContent()).toMatch(/(seconds? ago|now).*10 minutes ago.*12 scans/);
  expect(await device('Volunteer one').getByText('12 scans').count()).toBe(0);
  // It has not reported anything: a job has stored its requests.
  await device('Volunteer one').getByText('Seen').waitFor({ timeout: 30_000 });
  expect(await violationsOf(page)).toEqual([]);
});

test('a device that has stopped is named, also on the full screen', async () => {
  const [stopped, other] = [device('Left gate'), device('Reporting phone')];
  const readAgain = () => page.clock.fastForward(10_000);
  const { devices } = await platform.operator.call(listDevices, scope);
  // Once its last request is stored, no job stores a later one.
  const backdate = () =>
    platform.sql(
      `update onsite.device set last_seen_at = last_seen_at - interval '10 minutes'
       where id = $1 and last_seen_at >= $2 returning id`,
      [devices.find(({ name }) => name === 'Left gate')?.id, lastRequestAt.get('Left gate')],
    );
  await expect.poll(backdate, { interval: 1000, timeout: 30_000 }).toHaveLength(1);
  await readAgain();
  await stopped.getByText('Has stopped').waitFor({ timeout: 30_000 });
  expect(await other.getByText('Has stopped').count()).toBe(0);
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.getByText('This device has stopped: Left gate').waitFor();
});

test('the full screen shows the chosen doors, is kept by a reload, fits 11 doors with long names without scrolling, and ends with Escape', async () => {
  const wall = page.getByRole('dialog', { name: 'Summit' });
  await wall.locator('[data-door="Main hall"]').filter({ hasText: /^1$/ }).waitFor();
  const size = await wall.locator('[data-door="Main hall"]').boundingBox();
  expect(size?.height).toBeGreaterThan(100);
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await wall.waitFor();
  for (let n = 1; n <= 9; n++) {
    await platform.operator.call(createVenue, {
      ...scope,
      name: `Workshop room number ${n} in the northern wing`,
    });
  }
  await wall.getByRole('button', { name: 'Choose doors' }).click();
  for (let n = 1; n <= 9; n++) {
    const room = { name: `Workshop room number ${n} in the northern wing` };
    await wall.getByRole('button', room).click({ timeout: 30_000 });
  }
  await wall.getByRole('button', { name: 'Choose doors' }).click();
  await expect.poll(() => wall.locator('[data-door]').count()).toBe(11);
  await page.getByText('This device has stopped: Left gate').waitFor();
  const hall = wall.getByRole('listitem').filter({ hasText: 'Main hall' });
  expect(await hall.textContent()).toMatch(/1 let in twice.*2 refused/);
  await takePicture(page, 'console-wall-of-11-doors');
  const cut = `[...document.querySelectorAll('[role=dialog] li > :first-child')]
    .filter((name) => name.scrollHeight > name.clientHeight || name.scrollWidth > name.clientWidth)
    .map((name) => name.textContent)`;
  expect(await page.evaluate(cut)).toEqual([]);
  const sizes = `[...new Set([...document.querySelectorAll('[role=dialog] [data-door]')]
    .map((number) => getComputedStyle(number).fontSize))]`;
  expect(await page.evaluate(sizes)).toHaveLength(1);
  const fits = 'const { scrollHeight, clientHeight } = document.querySelector("[role=dialog]")';
  expect(await page.evaluate(`(() => { ${fits}; return scrollHeight <= clientHeight; })()`)).toBe(
    true,
  );
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await wall.waitFor({ state: 'detached' });
  await page.getByRole('table', { name: 'Devices' }).waitFor();
  const card = page.getByRole('list', { name: 'Doors' }).getByRole('listitem');
  const line = card.filter({ hasText: 'Main hall' }).locator('polyline');
  // The minute with the most check-ins is at the top.
  await expect.poll(() => line.getAttribute('points'), { timeout: 30_000 }).toMatch(/,2( |$)/);
  await page.getByRole('button', { name: 'Show check-ins per minute as a table' }).click();
  const numbers = page.getByRole('region', { name: 'Check-ins per minute' });
  const header = numbers.getByRole('row').first();
  expect(await header.textContent()).toBe('Minute untilEntrance of the eventMain hall');
  expect(await numbers.getByRole('row').count()).toBe(31);
  expect(await numbers.getByRole('cell', { name: '1', exact: true }).count()).toBe(2);
  expect(await violationsOf(page)).toEqual([]);
});

test('the overview and the page of a person request and show no order, which the role does not read', async () => {
  const { ticketTypes } = await steps.get(`${path}/ticket-types`);
  const items = [{ itemType: 'registration_type', itemId: ticketTypes[0].id, quantity: 1 }];
  const { id } = await steps.create(`${path}/orders`, { email: 'olga@example.com', items });
  const { registrationIds } = await steps.post(`${path}/orders/${id}/confirm`, urls);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await operator.visit(eventPage);
  await page.getByRole('list', { name: 'Figures' }).waitFor();
  await operator.visit(`${eventPage}/registrations/${registrationIds[0]}`);
  const doors = page.getByRole('region', { name: 'Doors' });
  await doors.getByText('Entrance of the event').waitFor();
  expect(await page.getByRole('main').textContent()).not.toContain(id);
  expect(refused).toEqual([]);
});

test('causes no error', () => {
  expect(operator.failures).toEqual([]);
});
