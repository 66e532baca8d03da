import { inviteMember } from '@event-api/contracts/operator/members';
import { closeContexts, sharedBrowser } from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { readsOf, recordReads } from './console/page-clock.ts';
import { type Steps, stepsOf } from './examples/steps.ts';
import type { Body } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

/** These tests run with `npm run test:full`. */
const isFull = process.env.TEST_SIZE === 'full';

/** A published event of its own business unit. Its one ticket type is open and costs nothing. */
interface Fair {
  unitId: string;
  steps: Steps;
  /** Path of the event in the API. */
  path: string;
  /** Path of the event in the console. */
  page: string;
  seatId: string;
}

async function createFair(platform: PlatformFixture): Promise<Fair> {
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  const steps = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }));
  const event = { name: 'Fair', timezone: 'UTC', startsAt: '2027-05-10T09:00:00Z' };
  const { id: eventId } = await steps.create('/v1/events', event);
  const path = `/v1/events/${eventId}`;
  await steps.patch(path, { status: 'published' });
  const { id: seatId } = await steps.create(`${path}/ticket-types`, { name: 'Seat' });
  await steps.patch(`${path}/ticket-types/${seatId}`, { status: 'open' });
  return { unitId, steps, path, page: `/u/${unitId}/events/${eventId}`, seatId };
}

const emailOf = (name: string): string => `${name.replaceAll(' ', '.')}@example.com`;

const register = async ({ steps, path, seatId }: Fair, name: string): Promise<string> => {
  const body = { name, email: emailOf(name), registrationTypeId: seatId };
  return (await steps.create(`${path}/registrations`, body)).registration.id;
};

/** Orders a seat for each person, and waits until they are registered. */
async function order({ steps, path, seatId }: Fair, names: readonly string[]): Promise<Body> {
  const attendees = names.map((name) => ({ name, email: emailOf(name) }));
  const items = [
    { itemType: 'registration_type', itemId: seatId, quantity: names.length, attendees },
  ];
  const { id } = await steps.create(`${path}/orders`, { email: attendees[0]?.email, items });
  await steps.post(`${path}/orders/${id}/confirm`, {});
  return eventually(async () => {
    const placed = await steps.get(`${path}/orders/${id}`);
    if (placed.status !== 'paid') throw new Error(`the order is ${placed.status}`);
    return placed;
  });
}

/** A person of an order, as the list of registrations shows them. */
interface Guest {
  name: string;
  orderNumber: string;
  isInside: boolean;
}

/** Orders two seats each for 60 people, and the first one of each order checks in. */
async function admitGuests(fair: Fair): Promise<Guest[]> {
  const guests: Guest[] = [];
  for (let n = 1; n <= 30; n++) {
    const names = [`Guest ${n} A`, `Guest ${n} B`];
    const { orderNumber, items } = await order(fair, names);
    const [registrationId] = items[0].registrationIds;
    await fair.steps.create(`${fair.path}/checkins`, { registrationId, subjectType: 'event' });
    guests.push(...names.map((name, seat) => ({ name, orderNumber, isInside: seat === 0 })));
  }
  return guests;
}

describe.runIf(isFull)('a page of the console', () => {
  let platform: PlatformFixture;
  let browser: Browser;
  let fair: Fair;
  let guests: Guest[];
  let owner: Operator;
  let page: Page;

  beforeAll(async () => {
    [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
    fair = await createFair(platform);
    guests = await admitGuests(fair);
    owner = await signInAs(platform, browser, { unitId: fair.unitId, role: 'owner' });
    page = owner.page;
    // The tests move the timers of the page forward, and nothing waits.
    await page.clock.install();
    await recordReads(page);
  }, 600_000);
  afterAll(async () => {
    await closeContexts(browser);
    expect(owner?.failures).toEqual([]);
  });

  const rows = () => page.getByRole('table').first().locator('tbody tr');
  /** When the page reads paths that fit the pattern, while its clock goes on. */
  const readsWithin = (ms: number, path: RegExp) =>
    readsOf(page, path, () => page.clock.runFor(ms));

  test('with more rows shows the order and the check-in of each person, and does not read them again', async () => {
    await owner.visit(`${fair.page}/registrations`);
    await rows().nth(49).waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows().nth(59).waitFor();
    const visible = () =>
      rows().evaluateAll((all) =>
        all.map(({ textContent: text }) => ({
          name: /Guest \d+ [AB]/.exec(text)?.[0],
          orderNumber: /ORD-\w{8}/.exec(text)?.[0],
          isInside: /, \d\d:\d\d/.test(text),
        })),
      );
    const byName = (one: { name?: string }, other: { name?: string }) =>
      String(one.name).localeCompare(String(other.name));
    await expect
      .poll(async () => (await visible()).toSorted(byName))
      .toEqual(guests.toSorted(byName));
    expect(await readsWithin(46_000, /registration\.list$/)).toEqual([]);
  });

  describe.each([
    ['registrations', /registration\.list$/],
    ['orders', /\/orders\?/],
  ])('with a list of %s', (name, list) => {
    test('reads it again every 15 seconds, and shows what is new', async () => {
      await owner.visit(`${fair.page}/${name}`);
      await rows().first().waitFor();
      const person = `late.for.${name}`;
      await order(fair, [person]);
      const [first = 0, second = 0] = await readsWithin(31_000, list);
      expect(Math.round((second - first) / 1000)).toBe(15);
      await rows().filter({ hasText: person }).waitFor();
    });

    test('does not read it again while the tab is hidden', async () => {
      await page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })`,
      );
      expect(await readsWithin(46_000, list)).toEqual([]);
      await page.evaluate('delete document.visibilityState');
      expect((await readsWithin(16_000, list)).length).toBeGreaterThan(0);
    });
  });

  test('with a person reads the person again every 15 seconds', async () => {
    const id = await register(fair, 'Ada Lovelace');
    await owner.visit(`${fair.page}/registrations/${id}`);
    const panel = page.getByRole('complementary', { name: 'Person' });
    await panel.getByText('Confirmed', { exact: true }).first().waitFor();
    await fair.steps.post(`${fair.path}/registrations/${id}/cancel`);
    const reads = await readsWithin(16_000, /\/registrations\/reg_\w+$/);
    expect(reads.length).toBeGreaterThan(0);
    await panel.getByText('Cancelled', { exact: true }).first().waitFor();
  });

  test('with doors reads the check-ins per minute every five seconds', async () => {
    const registrationId = await register(fair, 'Grace Hopper');
    await owner.visit(`${fair.page}/doors`);
    await page.getByText('Live', { exact: true }).waitFor();
    const count = page.locator('[data-door="Entrance of the event"]');
    await count.filter({ hasText: /^30$/ }).waitFor();
    await page.getByRole('button', { name: 'Show check-ins per minute as a table' }).click();
    const numbers = page.getByRole('region', { name: 'Check-ins per minute' });
    const inside = async () => {
      const cells = await numbers.getByRole('cell').allTextContents();
      return cells
        .map(Number)
        .filter(Number.isInteger)
        .reduce((sum, n) => sum + n, 0);
    };
    await expect.poll(inside).toBe(30);
    // The stream begins with everything.
    await page.clock.runFor(3000);
    await fair.steps.create(`${fair.path}/checkins`, { registrationId, subjectType: 'event' });
    await count.filter({ hasText: /^31$/ }).waitFor();
    expect((await readsWithin(5000, /countPerMinute$/)).length).toBeGreaterThan(0);
    const insideAfterRead = async () => {
      await page.clock.runFor(5000);
      return inside();
    };
    await expect.poll(insideAfterRead, { interval: 500 }).toBe(31);
  });

  test('with the overview reads nothing while people check in, and counts them', async () => {
    const ids: string[] = [];
    for (const name of ['Vera Molnar', 'Lillian Schwartz']) ids.push(await register(fair, name));
    await owner.visit(fair.page);
    await page.getByText('Live', { exact: true }).waitFor();
    const figure = page.locator('[data-figure="Checked in"]');
    await figure.filter({ hasText: /^\d+$/ }).waitFor();
    // The stream begins with everything.
    await page.clock.runFor(3000);
    const before = Number(await figure.textContent());
    // Whether messages are delayed is read at an interval of its own.
    const reads = await readsOf(page, /^(?!\/api\/messages$)/, async () => {
      for (const [index, registrationId] of ids.entries()) {
        await fair.steps.create(`${fair.path}/checkins`, { registrationId, subjectType: 'event' });
        await figure.filter({ hasText: new RegExp(`^${before + index + 1}$`) }).waitFor();
        await page.clock.runFor(5000);
      }
    });
    expect(reads).toEqual([]);
  });

  test('with the overview of a role that may not read the feed counts new people without a reload', async () => {
    const { unitId } = fair;
    const steward = await signInAs(platform, browser, { unitId, role: 'door' });
    await steward.visit(fair.page);
    const figure = steward.page.locator('[data-figure="Confirmed"]');
    await figure.filter({ hasText: /^\d+$/ }).waitFor();
    const before = Number(await figure.textContent());
    // The read after the start of the stream may bring the first one. The second one needs another message.
    for (const [index, name] of ['Anni Albers', 'Gunta Stolzl'].entries()) {
      await register(fair, name);
      await figure.filter({ hasText: new RegExp(`^${before + index + 1}$`) }).waitFor();
    }
    await steward.context.close();
  });

  describe('with a live stream', () => {
    const live = () => page.getByText('Live', { exact: true });
    const figure = () => page.locator('[data-figure="Confirmed"]');
    const isStream = (request: { url(): string }) => request.url().endsWith('/live');
    let opened = 0;
    const count = (request: { url(): string }) => {
      if (isStream(request)) opened += 1;
    };
    beforeAll(() => page.on('request', count));
    afterAll(() => page?.off('request', count));

    const setVisibility = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${state === 'hidden'} });
        document.dispatchEvent(new Event('visibilitychange'));`);

    /** Waits until the overview counts the person whom `act` registers. */
    async function countsAfter(act: () => Promise<unknown>): Promise<void> {
      await figure().filter({ hasText: /^\d+$/ }).waitFor();
      const before = Number(await figure().textContent());
      await act();
      await live().waitFor();
      await figure()
        .filter({ hasText: new RegExp(`^${before + 1}$`) })
        .waitFor();
    }

    test('closes it while the tab is hidden, and then shows what happened meanwhile', async () => {
      await owner.visit(fair.page);
      await live().waitFor();
      await countsAfter(async () => {
        const closed = page.waitForEvent('requestfailed', isStream);
        await setVisibility('hidden');
        await closed;
        opened = 0;
        await page.clock.runFor(60_000);
        expect(opened).toBe(0);
        await register(fair, 'Radia Perlman');
        await setVisibility('visible');
      });
      expect(opened).toBe(1);
    });

    test('opens it again after the server has ended it', async () => {
      await owner.visit(`${fair.page}/orders`);
      const status = JSON.stringify({ summary: 'current', changes: 'current' });
      const body = `retry: 100\n\nevent: status\ndata: ${status}\n\n`;
      const end = (route: Route) => route.fulfill({ contentType: 'text/event-stream', body });
      await page.route(/\/live$/, end, { times: 1 });
      opened = 0;
      await owner.visit(fair.page);
      await countsAfter(async () => {
        await expect.poll(() => opened).toBe(2);
        await register(fair, 'Karen Jones');
      });
    });
  });

  test('with a day filter waits until its year is typed', async () => {
    await owner.visit(`${fair.page}/registrations`);
    const from = page.getByLabel('Registered from', { exact: true });
    const search = () => new URL(page.url()).search;
    await from.focus();
    await page.keyboard.type('1231');
    // Each digit completes a day, and the pause after it is long.
    for (const [digit, day] of [
      ['2', '0002-12-31'],
      ['9', '0029-12-31'],
      ['9', '0299-12-31'],
    ] as const) {
      await page.keyboard.press(digit);
      await page.clock.runFor(2000);
      expect(await from.inputValue()).toBe(day);
      expect(search()).toBe('');
    }
    await page.keyboard.press('8');
    await page.clock.runFor(2000);
    await expect.poll(search).toBe('?from=2998-12-31');
    await page.getByText('Nobody fits these filters').waitFor();
  });

  describe('that opens while a form is being saved', () => {
    const question = () => page.getByRole('dialog', { name: 'Leave without saving?' });
    const name = () => page.getByLabel('Name', { exact: true }).first();

    /** Submits the form that is open, opens another page before the response, and then lets the request end. */
    async function leaveDuring(
      request: { method: string; path: RegExp; button: string },
      leave: () => Promise<unknown>,
      end: (route: Route) => Promise<void>,
    ): Promise<void> {
      const opened = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      await page.route(request.path, async (route) => {
        if (route.request().method() !== request.method) return route.continue();
        await opened.promise;
        await end(route);
        ended.resolve();
      });
      const sent = page.waitForRequest((each) => each.method() === request.method);
      await page.getByRole('button', { name: request.button, exact: true }).first().click();
      await sent;
      await leave();
      await question().waitFor();
      opened.resolve();
      await ended.promise;
      await page.unroute(request.path);
    }
    const settings = { method: 'PATCH', path: /\/v1\/events\/[^/]+$/, button: 'Save' };
    const openOrders = () => page.getByRole('link', { name: 'Orders', exact: true }).click();

    test('asks whether to leave if the request fails', async () => {
      await owner.visit(`${fair.page}/settings`);
      await name().fill('Not saved');
      await leaveDuring(settings, openOrders, (route) => route.abort());
      await page.locator('form [role="alert"]').waitFor();
      await page.clock.runFor(1000);
      await question().getByRole('button', { name: 'Stay' }).click();
      await question().waitFor({ state: 'detached' });
      expect(await name().inputValue()).toBe('Not saved');
      await page.getByRole('button', { name: 'Discard' }).click();
    });

    test('appears without an answer to the question once the form is saved', async () => {
      await owner.visit(`${fair.page}/settings`);
      await name().fill('Trade fair');
      await leaveDuring(settings, openOrders, (route) => route.continue());
      await page.getByRole('table', { name: 'Orders' }).waitFor();
      await question().waitFor({ state: 'detached' });
      expect((await fair.steps.get(fair.path)).name).toBe('Trade fair');
    });

    test('appears once the dialog with the form has ended', async () => {
      await owner.visit(`${fair.page}/orders`);
      await owner.visit(`${fair.page}/tickets`);
      await page.getByRole('button', { name: 'Add a ticket type' }).first().click();
      await name().fill('Balcony');
      const create = { method: 'POST', path: /\/ticket-types$/, button: 'Create' };
      await leaveDuring(
        create,
        () => page.evaluate('history.back()'),
        (route) => route.continue(),
      );
      await page.getByRole('table', { name: 'Orders' }).waitFor();
      await question().waitFor({ state: 'detached' });
    });
  });

  test('outside of a unit searches in the unit that was open last, and so does the start', async () => {
    const other = await createFair(platform);
    await register(other, 'Zoe Other');
    await register(fair, 'Zoe First');
    const input = { businessUnitId: other.unitId, role: 'owner' } as const;
    const { link } = await platform.operator.call(inviteMember, input);
    await page.goto(link);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.waitForURL(new RegExp(`/u/${other.unitId}`));
    const found = page.getByRole('option', { name: /Zoe/ });
    for (const [unitId, name] of [
      [other.unitId, 'Zoe Other'],
      [fair.unitId, 'Zoe First'],
      [other.unitId, 'Zoe Other'],
    ] as const) {
      await owner.visit(`/u/${unitId}/events`);
      await owner.visit('/account');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search and commands' }).fill('zoe');
      await found.first().waitFor();
      expect(await found.allTextContents()).toEqual([expect.stringContaining(name)]);
      await page.keyboard.press('Escape');
      await page.goto(platform.consoleUrl);
      await page.waitForURL(`**/u/${unitId}/events`);
    }
  });
});
