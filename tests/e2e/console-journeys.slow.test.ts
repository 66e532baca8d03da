import { readFileSync } from 'node:fs';
import { setRefundPolicy } from '@event-api/contracts/operator/refund-policies';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Conference, createConference, sellSeats } from './console/conference.ts';
import { walkByKeyboard } from './console/keyboard.ts';
import { type Operator, signInAs, waitUntilComplete } from './console/operator.ts';
import { pagesOf } from './console/routes.ts';
import { stepsOf } from './examples/steps.ts';
import type { Body } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

/** The longer journeys run with `npm run test:full`. */
const isFull = process.env.TEST_SIZE === 'full';

let platform: PlatformFixture;
let browser: Browser;
let conference: Conference;
let owner: Operator;
let page: Page;
let unitPath: string;
let eventPath: string;

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  conference = await createConference(platform);
  owner = await signInAs(platform, browser, { unitId: conference.unitId, role: 'owner' });
  page = owner.page;
  unitPath = `/u/${conference.unitId}`;
  eventPath = `${unitPath}/events/${conference.eventId}`;
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

const read = async (path: string): Promise<Body> => conference.steps.get(conference.path + path);

describe('money', () => {
  test('of one seat goes back in four clicks from the overview, and a double click refunds once', async () => {
    await owner.visit(eventPath);
    const before = owner.clicks();
    await owner.click(page.getByRole('link', { name: 'Orders', exact: true }));
    await owner.click(page.getByRole('row', { name: /Olga/ }).getByRole('link'));
    // The first read of the policy is slow, and fails.
    const held = Promise.withResolvers<void>();
    await page.route('**/refund-policy', async (route) => {
      await held.promise;
      await route.fulfill({ status: 500, json: { error: { code: 500, status: 'INTERNAL' } } });
    });
    await owner.click(page.getByRole('button', { name: 'Refund', exact: true }));
    const dialog = page.getByRole('dialog');
    const policy = dialog.getByRole('complementary', { name: 'Refund policy' });
    await policy.locator('.appears-late').first().waitFor();
    expect(await dialog.getByRole('button', { name: 'Refund €25.00' }).isEnabled()).toBe(false);
    held.resolve();
    await policy.getByText('You can still refund.', { exact: false }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Refund €25.00' }).isEnabled()).toBe(true);
    await page.unroute('**/refund-policy');
    await policy.getByRole('button', { name: 'Try again' }).click();
    await policy.getByText('Refunds <img', { exact: false }).waitFor();
    await dialog.getByText(/€25.00 go back to .* The registrations of the order stay/).waitFor();
    // A device that is turned shows the order without its list, and then beside it again.
    for (const width of [844, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
    }
    const confirm = dialog.getByRole('button', { name: 'Refund €25.00' });
    expect(owner.clicks() - before).toBe(3);
    await confirm.dblclick();
    await page.getByText('€25.00 are on the way back').waitFor();
    const ledger = page.getByRole('table', { name: 'Payments and refunds' });
    await ledger.getByRole('row').nth(2).waitFor();
    expect((await read(`/orders/${conference.orderId}`)).refundedAmount).toBe(2500);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Refund of €25.00 requested').waitFor();
    await timeline.getByText('Refund of €25.00 paid out').waitFor();
    expect(await ledger.getByRole('row').count()).toBe(3);
    const rows = ledger.getByRole('row').filter({ hasText: '€' });
    const balances = (await rows.allTextContents()).map((row) => row.match(/-?€[\d.]+/g));
    expect(balances).toEqual([
      ['€50.00', '€50.00'],
      ['-€25.00', '€25.00'],
    ]);
    const steps = page.getByRole('list', { name: 'Progress of the order' }).getByRole('listitem');
    expect(await steps.allTextContents()).toEqual([
      'Placed',
      'Payment',
      'Paid',
      'Fulfilled',
      'Partly refunded',
    ]);
    const current = steps.and(page.locator('[aria-current="step"]'));
    expect(await current.allTextContents()).toEqual(['Partly refunded']);
  });

  test('that is owed is on one page, which says that nothing is owed', async () => {
    await owner.visit(`${unitPath}/refunds`);
    await page.getByText('Nothing is owed').waitFor();
  });

  test.runIf(isFull)(
    'that the provider refuses stays owed, with its buyer and date, until it is requested again; the policy warns',
    async () => {
      const { unitId, eventId, seatId, path } = conference;
      const scope = { businessUnitId: unitId, eventId };
      const addonId = (await read('/addons')).addons[0].id;
      const text = 'Until the end of 2020.';
      const set = (refundableUntil: string | null) =>
        platform.operator.call(setRefundPolicy, { ...scope, text, refundableUntil });
      const items = [
        {
          itemType: 'registration_type',
          itemId: seatId,
          quantity: 3,
          attendees: ['rhea', 'rosa', 'ruth'].map((name) => ({
            email: `${name}@example.com`,
            name,
          })),
        },
        { itemType: 'addon', itemId: addonId, quantity: 1 },
      ];
      const order = { email: 'rhea@example.com', name: 'Rhea', items };
      const orderId = await sellSeats(conference.steps, path, order);
      await set('2020-12-31T23:59:59Z');
      // The provider does not know the payment.
      const setPayment = (id: string) =>
        platform.sql<{ id: string }>(
          `update commerce.settlement s set provider_payment_id = $2 from (select id, provider_payment_id from commerce.settlement) old
           where old.id = s.id and s.order_id = $1 returning old.provider_payment_id as id`,
          [orderId, id],
        );
      const [payment] = await setPayment('pi_unknown');
      await owner.visit(`${eventPath}/orders/${orderId}`);
      const openDialog = async () => {
        await page.getByRole('button', { name: 'Refund', exact: true }).click();
        return page.getByRole('dialog', { name: /^Refund/ });
      };
      let dialog = await openDialog();
      await dialog
        .getByText(/The policy has ended on .* 202[01]\. This refund is a goodwill payment/)
        .waitFor();
      await takePicture(page, 'console-refund-dialog');
      expect(await dialog.getByText(/^(One|All) .*, €/).allTextContents()).toEqual(
        expect.arrayContaining([
          expect.stringMatching('One seat of Seat, €25.00'),
          expect.stringMatching('All 3 seats of Seat, €75.00'),
        ]),
      );
      await dialog.getByRole('button', { name: 'Refund €25.00' }).click();
      await dialog.getByText(/The payment provider refused to refund €25.00: /).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText(/The payment provider refused to refund €25.00: /).waitFor();
      await owner.visit(eventPath);
      await page
        .getByRole('link', { name: 'The payment provider refused 1 refund: refund again' })
        .click();
      const summary = page.getByRole('region', { name: 'What is owed' });
      await summary.getByText('€25.00').waitFor();
      await summary.getByText('1 refund to 1 buyer, the oldest since').waitFor();
      const row = page.getByRole('row', { name: /rhea@example.com/ });
      await row.getByText('Open the order to refund again').waitFor();
      await row.locator('time').first().waitFor();
      await takePicture(page, 'console-refunds-owed');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const file = readFileSync(await (await saved).path(), 'utf8');
      expect(file).toMatch(
        /,"rhea@example\.com","EUR","25\.00","Failed","Yes","Decided by an operator",/,
      );
      await page.getByLabel('Since', { exact: true }).fill('2990-01-01');
      await page.getByText('No refunds fit these filters').waitFor();
      await summary.getByText('€25.00').waitFor();
      await setPayment(String(payment?.id));
      await owner.visit(`${eventPath}/orders/${orderId}`);
      dialog = await openDialog();
      await dialog.getByRole('button', { name: 'Refund €25.00' }).click();
      await dialog.waitFor({ state: 'detached' });
      await owner.visit(`${unitPath}/refunds`);
      await page.getByText('Nothing is owed').waitFor();
      await set(null);
    },
  );
});

describe('the page of a command', () => {
  const open = (name: string) => owner.visit(`${unitPath}/commands/${name}`);
  const choose = async (label: string, text: string, option: RegExp) => {
    await page.getByRole('combobox', { name: label }).fill(text);
    await page.getByRole('option', { name: option }).click();
  };
  /** A page with unsaved changes asks before it is left. */
  const discard = () => page.getByRole('button', { name: 'Discard' }).click();
  const run = () => page.getByRole('button', { name: 'Run', exact: true }).click();

  test('runs it with records that are found by name', async () => {
    await open('perk.grant');
    await choose('Event', 'summ', /Summit/);
    await choose('Perk', 'lou', /Lounge/);
    await choose('Registration', 'ada', /Ada/);
    await run();
    await page.getByText('Done: Grant a perk to one registration').waitFor();
    // The message stays for five seconds and covers no button of the form.
    const again = page.getByRole('button', { name: 'Run', exact: true });
    await again.click({ trial: true, timeout: 4000 });
    const result = page.getByRole('region', { name: 'Response' });
    await result
      .getByText(/Lounge/)
      .first()
      .waitFor();
  });

  test('is found by words, group and effect, in the words of the list', async () => {
    await owner.visit(`${unitPath}/commands`);
    const found = page.getByRole('main').getByRole('listitem');
    const grant = found.filter({ hasText: 'Grant a perk to one registration' });
    await grant.getByText('Changes data').waitFor();
    await page.getByRole('searchbox', { name: 'Search commands' }).fill('registration PERK');
    await found.filter({ hasText: 'venue.create' }).waitFor({ state: 'detached' });
    await grant.waitFor();
    await page.getByRole('combobox', { name: 'What it does' }).selectOption('Only reads');
    await grant.waitFor({ state: 'detached' });
    await found.filter({ hasText: 'registration.find' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search commands' }).fill('');
    await page.getByRole('combobox', { name: 'Group' }).selectOption('Devices');
    await found.filter({ hasText: 'registration.find' }).waitFor({ state: 'detached' });
    await found.filter({ hasText: 'device.list' }).first().waitFor();
    expect(
      await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents(),
    ).toEqual(['Devices']);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('shows its request as it is typed, keeps its values, and reads the next page', async () => {
    await open('registration.list');
    await choose('Event', 'summ', /Summit/);
    await page.getByLabel(/^Limit/).fill('1');
    const request = page.getByRole('region', { name: 'Request' }).locator('pre');
    await request.filter({ hasText: '"limit": 1' }).waitFor();
    const response = page.getByRole('region', { name: 'Response' });
    await response.getByText('Run the command to see the response here.').waitFor();
    await run();
    const id = response.getByRole('button', { name: /^Copy the id: reg_/i });
    await id.waitFor();
    const first = await id.textContent();
    expect(await page.getByLabel(/^Limit/).inputValue()).toBe('1');
    await response.getByRole('button', { name: 'Read the next page' }).click();
    await response.getByText(String(first)).waitFor({ state: 'detached' });
    await id.waitFor();
    await response.getByRole('button', { name: 'JSON' }).click();
    await response.locator('pre').filter({ hasText: '"registrations"' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('names the field that the server rejects, and keeps what was typed', async () => {
    await open('session.create');
    await choose('Event', 'summ', /Summit/);
    await page.getByLabel('Title', { exact: true }).fill('Too early');
    await page.getByLabel(/^Starts at/).fill('2027-05-01T09:00');
    await page.getByLabel(/^Ends at/).fill('2027-05-01T10:00');
    await run();
    const alert = page.getByRole('alert');
    await alert.getByRole('link', { name: /^Starts at must/ }).click();
    expect(await page.evaluate('document.activeElement.name')).toBe('startsAt');
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Too early');
    await discard();
  });

  test('says why a rule refuses it', async () => {
    await open('member.setRole');
    await choose('Operator', 'oli', /Olivia/);
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await run();
    await page.getByText(/needs one owner/).waitFor();
    await discard();
  });
});

describe('a form with an entry that the browser cannot read', () => {
  const openDialog = async () => {
    await owner.visit(`${eventPath}/tickets`);
    await page.getByRole('button', { name: 'More actions: Seat', exact: true }).click();
    await page.getByRole('menuitem', { name: /Edit/ }).click();
    return page.getByRole('dialog', { name: /^Edit/ });
  };

  test('stops at an unfinished number, and saves none after it is cleared', async () => {
    const before = await read('/ticket-types');
    const dialog = await openDialog();
    const seats = dialog.getByLabel('Seats', { exact: false }).first();
    await seats.fill('');
    await seats.focus();
    await page.keyboard.type('50e');
    // Enter submits without leaving the field.
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a whole number').waitFor();
    expect(await read('/ticket-types')).toEqual(before);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { ticketTypes } = await read('/ticket-types');
    expect(ticketTypes).toContainEqual(expect.objectContaining({ name: 'Seat', capacity: null }));
  });
});

describe('a date whose year is typed', () => {
  /** Puts the cursor into the year, which is the third part of a date of the browser. */
  const typeYear = async (label: RegExp, keys: string) => {
    await page.getByLabel(label).focus();
    for (const _ of ['day', 'month']) await page.keyboard.press('ArrowRight');
    await page.keyboard.type(keys);
  };
  const inputOf = (label: RegExp) => page.getByLabel(label).inputValue();
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).first().click();

  test('says what another day of the start removes, and asks only if there is something', async () => {
    await owner.visit(`${eventPath}/settings`);
    await page.getByLabel(/^Starts/).fill('2027-05-11T09:00');
    await save();
    const question = page.getByRole('dialog', { name: 'Clear the agenda?' });
    await question
      .getByText(/1 session is removed .* Check-ins, rooms and speakers stay/)
      .waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await inputOf(/^Starts/)).toBe('2027-05-11T09:00');
    // Nothing is changed: other tests need the agenda.
    const patched = /\/v1\/events\/[^/]+$/;
    await page.route(patched, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    const sentAfter = async (click: () => Promise<void>): Promise<unknown> => {
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await click();
      return (await sent).postDataJSON();
    };
    const moved = { startsAt: '2027-05-11T07:00:00.000Z', confirmAgendaReset: true };
    await save();
    const confirm = question.getByRole('button', { name: 'Save and remove 1 session' });
    expect(await sentAfter(() => confirm.click())).toEqual(moved);
    await page.getByRole('alert').first().waitFor();
    const agenda = /\/v1\/events\/[^/]+\/sessions/;
    await page.route(agenda, (route) => route.fulfill({ json: { sessions: [] } }));
    expect(await sentAfter(save)).toEqual(moved);
    await page.unroute(agenda);
    await page.unroute(patched);
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('stays in the field, and is saved once the year is complete', async () => {
    await owner.visit(`${eventPath}/settings`);
    const day = (await inputOf(/^Ends/)).slice(4);
    await typeYear(/^Ends/, '2');
    expect(await inputOf(/^Ends/)).toBe(`0002${day}`);
    await save();
    await page.getByText('Enter a date and a time').waitFor();
    expect((await read('')).endsAt).toEqual(expect.any(String));
    await typeYear(/^Ends/, '2029');
    expect(await inputOf(/^Ends/)).toBe(`2029${day}`);
    await save();
    await expect.poll(async () => (await read('')).endsAt).toMatch(/^2029/);
  });

  test.runIf(isFull)(
    'stays when another time zone is chosen, and is saved in that zone',
    async () => {
      const zone = page.getByLabel('Time zone');
      const before = await read('');
      const [starts, ends] = [await inputOf(/^Starts/), await inputOf(/^Ends/)];
      await zone.selectOption('Asia/Tokyo');
      await save();
      await expect
        .poll(() => read(''))
        .toMatchObject({
          timezone: 'Asia/Tokyo',
          startsAt: new Date(`${starts}+09:00`).toISOString(),
          endsAt: new Date(`${ends}+09:00`).toISOString(),
        });
      expect([await inputOf(/^Starts/), await inputOf(/^Ends/)]).toEqual([starts, ends]);
      await zone.selectOption(before.timezone);
      await save();
      await expect
        .poll(() => read(''))
        .toMatchObject({ startsAt: before.startsAt, endsAt: before.endsAt });
    },
  );

  test.runIf(isFull)('without a year is refused, and an empty date is saved as none', async () => {
    await typeYear(/^Ends/, '');
    await page.keyboard.press('Backspace');
    await save();
    await page.getByText('Enter a date and a time').waitFor();
    expect((await read('')).endsAt).toMatch(/^2029/);
    // The browser empties all parts, as a person does who deletes them one by one.
    await page.getByLabel(/^Ends/).fill('');
    await save();
    await expect.poll(async () => (await read('')).endsAt).toBeNull();
  });
});

test('what is typed while a form is saved stays, and is saved next', async () => {
  await owner.visit(`${eventPath}/settings`);
  const name = page.getByLabel('Name', { exact: true });
  const typed = await name.inputValue();
  let release = () => {};
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/v1\/events\/[^/]+$/, async (route) => {
    if (route.request().method() === 'PATCH') await isHeld;
    await route.continue();
  });
  const save = page.getByRole('button', { name: 'Save', exact: true }).first();
  await name.fill(`${typed} one`);
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await save.click();
  await sent;
  await name.fill(`${typed} two`);
  release();
  await page.getByText('The settings are saved').first().waitFor();
  await page.unroute(/\/v1\/events\/[^/]+$/);
  await expect.poll(async () => (await read('')).name).toBe(`${typed} one`);
  expect(await name.inputValue()).toBe(`${typed} two`);
  await save.click();
  await expect.poll(async () => (await read('')).name).toBe(`${typed} two`);
  await name.fill(typed);
  await save.click();
  await expect.poll(async () => (await read('')).name).toBe(typed);
});

describe('two operators at once', () => {
  let organizer: Operator;
  beforeAll(async () => {
    organizer = await signInAs(platform, browser, { unitId: conference.unitId, role: 'organizer' });
  });
  afterAll(async () => organizer?.context.close());

  test('who edit one ticket type keep the changes of each other', async () => {
    const both = [owner, organizer];
    for (const each of both) {
      await each.visit(`${eventPath}/tickets`);
      await each.page.getByRole('button', { name: 'More actions: Seat', exact: true }).click();
      await each.page.getByRole('menuitem', { name: /Edit/ }).click();
    }
    const save = async ({ page: own }: Operator, label: string, value: string) => {
      const dialog = own.getByRole('dialog', { name: /^Edit/ });
      await dialog.getByLabel(label).first().fill(value);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await save(owner, 'Name', 'Seat with lunch');
    await save(organizer, 'Seats', '30');
    const { ticketTypes } = await read('/ticket-types');
    expect(ticketTypes).toContainEqual(
      expect.objectContaining({ name: 'Seat with lunch', capacity: 30 }),
    );
  });

  test('who decide on one person get one decision, and the second one is named', async () => {
    for (const { page: own, visit } of [owner, organizer]) {
      await visit(`${eventPath}/registrations?status=pending`);
      await own.getByRole('checkbox', { name: 'Select Grace Hopper' }).check();
    }
    const approve = page.getByRole('button', { name: 'Approve 1 person' });
    await approve.click();
    await page.getByRole('dialog', { name: 'Approve 1 person?' }).locator(approve).click();
    await page.getByRole('dialog').getByText('Confirmed').waitFor();
    await organizer.page.getByRole('button', { name: 'Reject 1 person' }).click();
    const question = organizer.page.getByRole('dialog', { name: 'Reject 1 person?' });
    await question.getByRole('button', { name: 'Reject 1 person' }).click();
    await organizer.page.getByText('Somebody else has changed this person.').waitFor();
    expect((await read(`/registrations/${conference.pendingId}`)).status).toBe('confirmed');
    for (const { page: own } of [owner, organizer]) {
      await own.getByRole('button', { name: 'Done' }).click();
    }
  });
});

test.runIf(isFull)(
  'a form survives the end of the session and a sign-in in another window',
  async () => {
    const finance = await signInAs(platform, browser, {
      unitId: conference.unitId,
      role: 'finance',
    });
    const own = finance.page;
    await finance.visit(`${eventPath}/form`);
    const policy = own.getByRole('region', { name: 'Refund policy' });
    await policy.getByRole('textbox').first().fill('Typed before the end');
    await own.evaluate(
      `fetch('/api/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })`,
    );
    await policy.getByRole('button', { name: 'Save' }).click();
    const dialog = own.getByRole('dialog', { name: 'Your session has ended' });
    const [popup] = await Promise.all([
      own.waitForEvent('popup'),
      dialog.getByRole('button', { name: /Fiona/ }).click(),
    ]);
    if (!popup.isClosed()) await popup.waitForEvent('close');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await read('/refund-policy')).policy.text)
      .toBe('Typed before the end');
    await finance.context.close();
  },
);

test('the list of people shows orders and check-ins, and the page of a person all tickets, answers, payments and why a door stays closed', async () => {
  const { steps, path } = conference;
  const other = (await steps.create('/v1/events', {
    name: 'Meetup',
    timezone: 'UTC',
    startsAt: '2027-06-10T09:00:00Z',
  })) as Body;
  await steps.patch(`/v1/events/${other.id}`, { status: 'published' });
  await steps.create(`/v1/events/${other.id}/registrations`, { email: 'olga@example.com' });
  const { registrationIds, orderNumber } = await read(`/orders/${conference.orderId}`);
  for (const registrationId of registrationIds) {
    await steps.create(`${path}/checkins`, { registrationId, subjectType: 'event' });
  }
  await owner.visit(`${eventPath}/registrations?q=olga`);
  const bought = page.getByRole('row').filter({ hasText: orderNumber });
  await bought.getByText(/^\d+ \w+ \d{4}, \d\d:\d\d/).waitFor();
  await bought.getByRole('link').click();
  const panel = page.getByRole('complementary', { name: 'Person' });
  const ledger = panel.getByRole('table', { name: 'Payments and refunds' });
  await ledger.getByRole('row', { name: /Payment.*€50.00/ }).waitFor();
  await panel.getByRole('link', { name: orderNumber }).waitFor();
  await panel.getByText('The ticket has none of the perks that open this door.').first().waitFor();
  await panel
    .getByText(/It opens with: Lounge/)
    .first()
    .waitFor();
  const answers = panel.getByRole('region', { name: 'Answers of the order' });
  await answers.getByText(/^Diet <img.*: <img/).waitFor();
  const tickets = panel.getByRole('region', { name: 'All tickets of this person' });
  await tickets.getByText(/^Summit .* · Seat/).waitFor();
  await tickets.getByRole('link', { name: /^Meetup/ }).click();
  await page.waitForURL(new RegExp(`/events/${other.id}/registrations/reg_`));
  await owner.visit(`${unitPath}/events/${other.id}/tickets`);
  const guide = page.getByRole('link', { name: 'Read the guide: Put tickets on sale' });
  const { status, text } = await page.request
    .get(String(await guide.getAttribute('href')))
    .then(async (response) => ({ status: response.status(), text: await response.text() }));
  expect([status, text.includes('id="put-tickets-on-sale"')]).toEqual([200, true]);
  await owner.visit(`${eventPath}/registrations?q=ada`);
  await page
    .getByRole('row', { name: /^Select Ada/ })
    .getByRole('link')
    .click();
  await panel.getByRole('heading', { level: 1, name: /^Ada/ }).waitFor();
  await panel.getByText(/^Diet </).waitFor();
  expect(await tickets.count()).toBe(0);
});

test.runIf(isFull)(
  'an event with a form is on sale from an empty unit in under three minutes',
  async () => {
    const { unitId, secret } = await platform.newUnit();
    const starter = await signInAs(platform, browser, { unitId, role: 'owner' });
    const own = starter.page;
    const startedAt = performance.now();
    await own.getByText('No events yet').waitFor();
    await own.getByRole('link', { name: 'New event' }).first().click();
    await own.getByLabel('Name', { exact: true }).fill('First event');
    await own.getByLabel(/^Starts/).fill('2027-09-10T09:00');
    await own.getByRole('button', { name: 'Create the event' }).click();
    await own.getByRole('heading', { level: 1, name: 'First event' }).waitFor();
    await own.getByRole('link', { name: 'Tickets & add-ons' }).first().click();
    for (const [name, price] of [
      ['Standard', '25'],
      ['Patron', '100'],
    ] as const) {
      await own.getByRole('button', { name: 'Add a ticket type' }).first().click();
      const dialog = own.getByRole('dialog', { name: 'Add a ticket type' });
      await dialog.getByLabel('Name').first().fill(name);
      await dialog.getByLabel('Price').fill(price);
      await dialog.getByLabel('Seats').fill('100');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await own.getByRole('button', { name: 'Add a bundle' }).first().click();
    const bundle = own.getByRole('dialog', { name: 'Add a bundle' });
    await bundle.getByLabel('Name').first().fill('Both');
    for (const name of ['Standard', 'Patron']) await bundle.getByLabel(name).check();
    await bundle.getByRole('button', { name: 'Create' }).click();
    await bundle.waitFor({ state: 'detached' });
    await own.getByRole('link', { name: 'Form & policy' }).first().click();
    await own.getByRole('button', { name: 'Add a question' }).click();
    await own.getByLabel('Question', { exact: true }).fill('Shirt');
    await own.getByRole('button', { name: 'Save' }).first().click();
    await own.getByText('The form is saved').waitFor();
    await own.getByRole('link', { name: 'Overview' }).click();
    await own.getByRole('button', { name: 'Publish the event' }).click();
    const publishing = own.getByRole('dialog', { name: 'Publish First event?' });
    await publishing.getByText('2 ticket types are on sale').waitFor();
    await publishing.getByRole('button', { name: 'Publish First event' }).click();
    await own.getByText('Published').first().waitFor();
    expect((performance.now() - startedAt) / 1000).toBeLessThan(180);

    const authorization = `Bearer ${secret}`;
    const { get } = stepsOf(httpClient(platform.baseUrl, { authorization }));
    const { events } = await get('/v1/events');
    expect(events).toMatchObject([{ name: 'First event', status: 'published' }]);
    const path = `/v1/events/${events[0].id}`;
    const { ticketTypes } = await get(`${path}/ticket-types`);
    expect(ticketTypes).toMatchObject([
      { name: 'Standard', status: 'open', priceAmount: 2500 },
      { name: 'Patron', status: 'open', priceAmount: 10_000 },
    ]);
    const { bundles } = await get(`${path}/bundles`);
    expect(bundles).toMatchObject([{ name: 'Both', items: [{ quantity: 1 }, { quantity: 1 }] }]);
    for (const { id } of ticketTypes) {
      const free = { capacity: 100, remaining: 100 };
      expect(await get(`${path}/ticket-types/${id}/availability`)).toMatchObject(free);
    }
    expect(await get(`${path}/form`)).toMatchObject({ questions: [{ label: 'Shirt' }] });
    await starter.context.close();
  },
);

test.runIf(isFull)(
  'every control of every page is reached by Tab and shows its focus',
  async () => {
    const { unitId, eventId } = conference;
    const problems: Record<string, object> = {};
    for (const { route, path } of await pagesOf(owner, { unitId, eventId })) {
      await owner.visit(path);
      const walk = await walkByKeyboard(page);
      if (walk.unreached.length + walk.invisible.length > 0) problems[route] = walk;
    }
    expect(problems).toEqual({});
  },
);

describe.runIf(isFull).each(['organizer', 'finance', 'door', 'viewer'] as const)(
  'the console of a member with the role %s',
  (role) => {
    let member: Operator;
    beforeAll(async () => {
      member = await signInAs(platform, browser, { unitId: conference.unitId, role });
    });
    afterAll(async () => member?.context.close());

    test('leads to no page that the role does not permit', async () => {
      await member.visit(eventPath);
      const links = await member.page
        .getByRole('navigation', { name: 'Navigation' })
        .getByRole('link')
        .evaluateAll((all) => all.map((each) => String((each as { href?: string }).href)));
      expect(links.length).toBeGreaterThan(3);
      const refused: string[] = [];
      for (const link of links) {
        await member.visit(new URL(link).pathname);
        if (await member.page.getByText('Your role does not permit').first().isVisible()) {
          refused.push(link);
        }
      }
      expect(refused).toEqual([]);
      await member.visit(`${eventPath}/registrations/${conference.pendingId}`);
      const page = await member.page.getByRole('main').textContent();
      expect(page?.includes('grace@example.com')).toBe(role !== 'door');
      expect(member.failures).toEqual([]);
    });

    test('shows every page of the owner, or says that the role does not permit it', async () => {
      const { unitId, eventId } = conference;
      for (const { path } of await pagesOf(owner, { unitId, eventId })) {
        await member.page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
        await waitUntilComplete(member.page);
      }
      expect(member.failures).toEqual([]);
    });
  },
);

test('a viewer who opens the address of a page that the role does not permit gets its title and a plain refusal', async () => {
  const viewer = await signInAs(platform, browser, { unitId: conference.unitId, role: 'viewer' });
  const main = viewer.page.getByRole('main');
  for (const [path, title] of [
    [`${unitPath}/keys`, 'API keys'],
    [`${unitPath}/events/new`, 'New event'],
    [`${eventPath}/codes`, 'Codes'],
  ] as const) {
    await viewer.visit(path);
    await main.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    expect(await main.textContent()).toBe(`${title}Your role does not permit this.`);
    expect(await main.getByRole('button').or(main.getByRole('textbox')).count()).toBe(0);
  }
  expect(await violationsOf(viewer.page)).toEqual([]);
  await takePicture(viewer.page, 'console-refused-page');
  await viewer.visit(`${eventPath}/program`);
  await main.getByRole('link', { name: 'Rooms' }).waitFor();
  await viewer.visit('/platform/system');
  await viewer.page.getByText('Only administrators of the platform').waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Run the reconciliation' }).count()).toBe(0);
  await viewer.context.close();
});
