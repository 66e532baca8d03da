import { setForm } from '@event-api/contracts/operator/forms';
import { createPerk } from '@event-api/contracts/operator/perks';
import { createVenue } from '@event-api/contracts/operator/program';
import type { Role } from '@event-api/contracts/permissions';
import {
  closeContexts,
  sharedBrowser,
  takePicture,
  violationsOf,
} from '@event-api/platform/testing/browser';
import { eventually } from '@event-api/platform/testing/eventually';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sellSeats } from './console/conference.ts';
import { type Operator, signInAs, visitor } from './console/operator.ts';
import { stepsOf } from './examples/steps.ts';
import type { Body } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

/** The most clicks from the page of a person to the end of a job. */
const maxClicks = 4;

let platform: PlatformFixture;
let browser: Browser;
let unitId: string;
let eventPath: string;
let path: string;
let steps: ReturnType<typeof stepsOf>;
const types: Record<string, string> = {};

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const unit = await platform.newUnit({ rateLimitPerMinute: 100_000 });
  unitId = unit.unitId;
  const authorization = `Bearer ${unit.secret}`;
  steps = stepsOf(httpClient(platform.baseUrl, { authorization }));
  const event = (await steps.create('/v1/events', {
    name: 'Summit',
    timezone: 'Europe/Berlin',
    startsAt: '2027-05-10T09:00:00+02:00',
    endsAt: '2027-05-11T18:00:00+02:00',
  })) as Body;
  path = `/v1/events/${event.id}`;
  eventPath = `/u/${unitId}/events/${event.id}`;
  await steps.patch(path, { status: 'published' });
  for (const type of [
    { name: 'Standard', priceAmount: 2500 },
    { name: 'Student', priceAmount: 1000 },
    { name: 'Patron', priceAmount: 10_000 },
    { name: 'Jury', requiresApproval: true },
  ]) {
    types[type.name] = await createType(type);
  }
  const scope = { businessUnitId: unitId, eventId: String(event.id) };
  const lounge = await platform.operator.call(createPerk, { ...scope, name: 'Lounge' });
  await platform.operator.call(createVenue, { ...scope, name: 'Terrace', perkIds: [lounge.id] });
  await platform.operator.call(setForm, {
    ...scope,
    questions: [
      { id: 'diet', label: 'Diet', type: 'text', required: false },
      { id: 'dinner', label: 'Comes to the dinner', type: 'boolean', required: true },
    ],
  });
}, 600_000);
afterAll(() => closeContexts(browser));

/** Creates a ticket type on sale. */
async function createType(type: object): Promise<string> {
  const { id } = (await steps.create(`${path}/ticket-types`, type)) as Body;
  await steps.patch(`${path}/ticket-types/${id}`, { status: 'open' });
  return id;
}

let count = 0;

/** Registers somebody. */
async function register(ticket: string, fields: object = {}): Promise<Body> {
  count += 1;
  const { registration } = (await steps.create(`${path}/registrations`, {
    email: `ada${count}@example.com`,
    name: `Ada ${count}`,
    registrationTypeId: types[ticket],
    ...fields,
  })) as Body;
  return registration;
}

const read = (id: string): Promise<Body> => steps.get(`${path}/registrations/${id}`);

/** An operator on the page of a person. */
interface Visit {
  operator: Operator;
  page: Page;
  /** The page of the person, without the list beside it. */
  person: Locator;
  dialog: Locator;
  button(name: string | RegExp): Promise<void>;
  /** Clicks an entry of the menu of the person. */
  menu(entry: string): Promise<void>;
  /** Clicks the button of the dialog that ends the job, and waits until it is done. */
  finish(name: string): Promise<void>;
  /** Expects that the job took no more than four clicks. */
  expectFewClicks(): void;
}

async function visitPerson(operator: Operator, id: string): Promise<Visit> {
  const { page } = operator;
  await operator.visit(`${eventPath}/registrations/${id}`);
  const before = operator.clicks();
  const person = page.locator('main aside');
  const dialog = page.locator('[role="dialog"]:not([aria-modal="false"])');
  const button = (name: string | RegExp) =>
    operator.click(person.getByRole('button', { name, exact: typeof name === 'string' }));
  return {
    operator,
    page,
    person,
    dialog,
    button,
    async menu(entry) {
      await button('More actions');
      await operator.click(page.getByRole('menuitem', { name: entry, exact: true }));
    },
    async finish(name) {
      await operator.click(dialog.getByRole('button', { name, exact: true }));
      await dialog.waitFor({ state: 'detached' });
    },
    expectFewClicks: () => expect(operator.clicks() - before).toBeLessThanOrEqual(maxClicks),
  };
}

const signIn = (role: Role, viewport?: { width: number; height: number }): Promise<Operator> =>
  signInAs(platform, browser, { unitId, role, ...(viewport && { viewport }) });

describe.each([
  ['on a desktop', { width: 1440, height: 900 }],
  ['on a phone', { width: 375, height: 812 }],
])('the page of a person %s', (_where, viewport) => {
  let context: BrowserContext;
  let operator: Operator;
  beforeAll(async () => {
    ({ context } = await signIn('organizer', viewport));
  }, 120_000);
  afterAll(() => context?.close());
  // A page of its own, because a dialog that a failed test has left open keeps its page.
  beforeEach(async () => {
    const page = await context.newPage();
    await page.goto(`${platform.consoleUrl}/u/${unitId}`);
    operator = visitor(context, page);
  });
  afterEach(async () => {
    await operator.page.close();
    expect(operator.failures).toEqual([]);
  });
  const open = (id: string) => visitPerson(operator, id);

  test('corrects the name, and the badge stays', async () => {
    const { id, checkinCode } = await register('Standard');
    const { button, dialog, finish, expectFewClicks } = await open(id);
    await button('Edit');
    await dialog.getByLabel(/^Name/).fill('Grace Hopper');
    await finish('Save');
    expectFewClicks();
    expect(await read(id)).toMatchObject({ name: 'Grace Hopper', checkinCode });
  });

  test('corrects the email, and says before that the badge gets a new code', async () => {
    const { id, name, email, checkinCode } = await register('Standard');
    const { button, dialog, finish, expectFewClicks } = await open(id);
    await button('Edit');
    const warning = dialog.getByText(`${checkinCode} stops working at once`);
    await dialog.getByLabel('Email').fill(email.toUpperCase());
    expect(await warning.count()).toBe(0);
    await dialog.getByLabel('Email').fill(`right-${email}`);
    await warning.waitFor();
    await finish('Save');
    expectFewClicks();
    const changed = await read(id);
    expect(changed).toMatchObject({ name, email: `right-${email}` });
    expect(changed.checkinCode).not.toBe(checkinCode);
  });

  test('transfers the ticket to another person', async () => {
    const { id, email, checkinCode } = await register('Standard', { responses: { dinner: true } });
    const { menu, dialog, finish, expectFewClicks } = await open(id);
    await menu('Transfer to another person');
    await dialog.getByLabel('Email').fill(`friend-of-${email}`);
    await dialog.getByText(`${checkinCode} stops working at once`).waitFor();
    await finish('Transfer the ticket');
    expectFewClicks();
    expect(await read(id)).toMatchObject({
      email: `friend-of-${email}`,
      name: null,
      responses: { dinner: true },
    });
  });

  test('changes the ticket, shows before what follows, and offers no dearer one', async () => {
    const { id, checkinCode } = await register('Standard');
    const { operator: own, page, menu, dialog, finish, expectFewClicks } = await open(id);
    await menu('Change the ticket');
    const patron = dialog.getByRole('radio', { name: /^Patron/ });
    await patron.waitFor();
    expect(await patron.isDisabled()).toBe(true);
    await dialog.getByText('Costs more than what was paid').waitFor();
    await own.click(dialog.getByRole('radio', { name: /^Student/ }));
    await dialog.getByText('It costs €15.00 less. No money is moved', { exact: false }).waitFor();
    await dialog.getByText('The badge code stays the same.', { exact: false }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await finish('Change the ticket');
    expectFewClicks();
    expect(await read(id)).toMatchObject({ registrationTypeId: types.Student, checkinCode });
  });

  test('changes the answers, and shows yes and no as words', async () => {
    const { id } = await register('Standard', { responses: { diet: 'vegan', dinner: true } });
    const { button, person, dialog, finish, expectFewClicks } = await open(id);
    await person.getByText('Comes to the dinner: Yes', { exact: true }).waitFor();
    await button('Edit the answers');
    await dialog.getByLabel('Comes to the dinner').selectOption('No');
    await finish('Save');
    expectFewClicks();
    await person.getByText('Comes to the dinner: No', { exact: true }).waitFor();
    expect((await read(id)).responses).toEqual({ diet: 'vegan', dinner: false });
  });

  test('checks in by hand, and undoes it', async () => {
    const { id } = await register('Standard');
    const { operator: own, person, button, dialog, finish, expectFewClicks } = await open(id);
    const checkins = async (): Promise<Body[]> =>
      (await steps.get(`${path}/checkins?registrationId=${id}`)).checkins;
    await button('Check in: Entrance of the event');
    await person.getByText('Checked in', { exact: true }).waitFor();
    expect(await checkins()).toMatchObject([{ method: 'manual', subjectType: 'event' }]);
    const before = own.clicks();
    await button('Undo the check-in: Entrance of the event');
    await dialog.getByLabel('Reason').fill('The neighbour was meant');
    await finish('Undo the check-in');
    expect(own.clicks() - before).toBeLessThanOrEqual(maxClicks);
    expectFewClicks();
    await person.getByRole('button', { name: 'Check in: Entrance of the event' }).waitFor();
    expect(await checkins()).toEqual([]);
  });

  test('grants a perk that opens a door, and takes it back', async () => {
    const { id } = await register('Standard');
    const { operator: own, page, person, button, finish, expectFewClicks } = await open(id);
    const doors = person.getByRole('region', { name: 'Doors' });
    const perks = async () =>
      (await steps.get(`${path}/registrations/${id}/perks`)).perks.map(({ name }: Body) => name);
    await doors.getByText('It opens with: Lounge', { exact: false }).waitFor();
    await button('Grant a perk');
    await own.click(page.getByRole('menuitem', { name: 'Lounge' }));
    await doors.getByRole('button', { name: 'Check in: Terrace' }).waitFor();
    expectFewClicks();
    expect(await perks()).toEqual(['Lounge']);
    const before = own.clicks();
    await button('Take back Lounge');
    await finish('Take back Lounge');
    expect(own.clicks() - before).toBeLessThanOrEqual(maxClicks);
    await doors.getByText('It opens with: Lounge', { exact: false }).waitFor();
    expect(await perks()).toEqual([]);
  });

  test('confirms somebody from the waitlist', async () => {
    // The seat that is free is offered, because it has a price.
    types.Lab = await createType({
      name: 'Lab',
      priceAmount: 100,
      capacity: 1,
      allowWaitlist: true,
    });
    const { id: formerId } = await register('Lab');
    const { id, name } = await register('Lab');
    await steps.post(`${path}/registrations/${formerId}/cancel`);
    expect((await read(id)).status).toBe('waitlisted');
    const { button, dialog, person, finish, expectFewClicks } = await open(id);
    // Nothing is repeated for each door.
    await person.getByText('No door opens. The registration is not confirmed.').waitFor();
    expect(await person.getByText('The registration is not confirmed.').count()).toBe(1);
    await button('Confirm');
    await dialog.getByText('ahead of everybody on the waitlist', { exact: false }).waitFor();
    await finish(`Confirm ${name}`);
    expectFewClicks();
    expect((await read(id)).status).toBe('confirmed');
  });

  test('approves, rejects and cancels', async () => {
    const [approved, rejected] = [await register('Jury'), await register('Jury')];
    const first = await open(approved.id);
    await first.button('Approve');
    await first.person.getByText('Confirmed', { exact: true }).first().waitFor();
    expect((await read(approved.id)).status).toBe('confirmed');
    await first.menu('Cancel the registration');
    await first.finish(`Cancel ${approved.name}`);
    first.expectFewClicks();
    expect((await read(approved.id)).status).toBe('cancelled');
    const second = await open(rejected.id);
    await second.menu('Reject');
    await second.finish(`Reject ${rejected.name}`);
    second.expectFewClicks();
    expect((await read(rejected.id)).status).toBe('rejected');
    await second.person
      .getByRole('button', { name: 'Edit', exact: true })
      .waitFor({ state: 'detached' });
  });

  test('leads to the order, its other people, and back', async () => {
    count += 1;
    const [buyer, guest] = [`buyer${count}@example.com`, `guest${count}@example.com`];
    const attendees = [
      { email: buyer, name: 'Olga' },
      { email: guest, name: 'Otto' },
    ];
    const item = { itemType: 'registration_type', itemId: types.Standard, quantity: 2, attendees };
    const orderId = await sellSeats(steps, path, {
      ...{ email: buyer, name: 'Olga', items: [item], responses: { dinner: false, diet: 'any' } },
    });
    const { orderNumber, registrationIds } = await steps.get(`${path}/orders/${orderId}`);
    const { operator: own, page, person, button, dialog, finish } = await open(registrationIds[0]);
    const orders = person.getByRole('region', { name: 'Orders', exact: true });
    await own.click(orders.getByRole('link', { name: 'Otto' }));
    await person.getByRole('heading', { level: 1, name: 'Otto' }).waitFor();
    await own.click(orders.getByRole('link', { name: orderNumber }));
    const people = page.getByRole('region', { name: 'Seats' });
    await own.click(people.getByRole('link', { name: 'Otto' }));
    await person.getByRole('heading', { level: 1, name: 'Otto' }).waitFor();
    // The answers of the order become those of the person.
    await button('Edit the answers');
    await dialog.getByLabel('Comes to the dinner').selectOption('Yes');
    await finish('Save');
    expect((await read(registrationIds[1])).responses).toEqual({ dinner: true, diet: 'any' });
  });

  test('has no serious finding of accessibility and no scrolling to the side', async () => {
    const { id } = await register('Standard', { responses: { diet: 'vegan', dinner: true } });
    const { page } = await open(id);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await takePicture(page, `console-person-${viewport.width}`);
  });
});

describe('two operators who edit one person', () => {
  let first: Operator;
  let second: Operator;
  beforeAll(async () => {
    [first, second] = await Promise.all([signIn('organizer'), signIn('owner')]);
  }, 120_000);

  test('of the second one nothing is lost, and nothing of the first one is overwritten', async () => {
    const { id, name } = await register('Standard', { responses: { dinner: true } });
    const [one, other] = [await visitPerson(first, id), await visitPerson(second, id)];
    await one.button('Edit');
    await other.button('Edit');
    await one.dialog.getByLabel(/^Name/).fill('Grace Hopper');
    await other.dialog.getByLabel('Email').fill(`right-${id}@example.com`);
    await one.finish('Save');
    await second.click(other.dialog.getByRole('button', { name: 'Save', exact: true }));
    await other.dialog.getByText(`Name: ${name} → Grace Hopper`).waitFor();
    const email = other.dialog.getByLabel('Email');
    expect(await email.inputValue()).toBe(`right-${id}@example.com`);
    expect(await other.dialog.getByLabel(/^Name/).inputValue()).toBe('Grace Hopper');
    expect((await read(id)).email).not.toContain('right');
    await other.finish('Save');
    other.expectFewClicks();
    expect(await read(id)).toMatchObject({
      name: 'Grace Hopper',
      email: `right-${id}@example.com`,
    });
  });

  test('the second one sees which answer has changed, and keeps the others', async () => {
    const { id } = await register('Standard', { responses: { diet: 'vegan', dinner: true } });
    const visit = await visitPerson(second, id);
    await visit.button('Edit the answers');
    await steps.patch(`${path}/registrations/${id}`, { responses: { diet: 'none', dinner: true } });
    await visit.dialog.getByLabel('Comes to the dinner').selectOption('No');
    await second.click(visit.dialog.getByRole('button', { name: 'Save', exact: true }));
    await visit.dialog.getByText('Diet: vegan → none').waitFor();
    await visit.finish('Save');
    expect((await read(id)).responses).toEqual({ diet: 'none', dinner: false });
  });
});

describe('two operators who decide about one person', () => {
  let operator: Operator;
  beforeAll(async () => {
    operator = await signIn('organizer');
  }, 120_000);
  const changed = (dialog: Locator) =>
    dialog.getByText('Your decision was not made. Decide again on what is shown now.');

  test('the second one, who rejects, is told of the approval, which stays', async () => {
    const { id, name } = await register('Jury');
    const { menu, dialog } = await visitPerson(operator, id);
    await menu('Reject');
    await steps.post(`${path}/registrations/${id}/approve`);
    await dialog.getByRole('button', { name: `Reject ${name}` }).click();
    await changed(dialog).waitFor();
    await dialog.getByText('Status: Pending → Confirmed').waitFor();
    expect((await read(id)).status).toBe('confirmed');
  });

  test('the second one, who cancels, is told of the new name, and cancels knowingly', async () => {
    const { id, name } = await register('Standard');
    const { menu, dialog } = await visitPerson(operator, id);
    // With the present name of the person.
    const end = dialog.getByRole('button', { name: /^Cancel \S/ });
    await menu('Cancel the registration');
    await steps.patch(`${path}/registrations/${id}`, { name: 'Grace Hopper' });
    await end.click();
    await changed(dialog).waitFor();
    await dialog.getByText(`Name: ${name} → Grace Hopper`).waitFor();
    expect((await read(id)).status).toBe('confirmed');
    await end.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await read(id)).status).toBe('cancelled');
  });

  test('the second one, who approves, is told of what was changed at that moment', async () => {
    const { id, name } = await register('Jury');
    const { page, person, button } = await visitPerson(operator, id);
    let isFirst = true;
    await page.route(`**/${id}/approve`, async (route) => {
      if (isFirst) await steps.patch(`${path}/registrations/${id}`, { name: 'Grace Hopper' });
      isFirst = false;
      await route.continue();
    });
    await button('Approve');
    await changed(person).waitFor();
    await person.getByText(`Name: ${name} → Grace Hopper`).waitFor();
    expect((await read(id)).status).toBe('pending');
    await button('Approve');
    await eventually(async () => expect((await read(id)).status).toBe('confirmed'));
  });
});

describe('a role that may not change people', () => {
  test.each([
    ['finance', []],
    ['viewer', []],
    ['door', ['Check in: Entrance of the event']],
  ] as const)('sees no job of others, and the server refuses it: %s', async (role, allowed) => {
    const { id } = await register('Standard', { responses: { dinner: true } });
    const operator = await signIn(role);
    const { page, person } = await visitPerson(operator, id);
    await person.getByRole('region', { name: 'Doors' }).getByText('May enter').waitFor();
    const jobs = /^(Edit|More actions|Grant|Check in|Undo|Confirm|Approve)/;
    const buttons = person.getByRole('button', { name: jobs });
    expect(
      await buttons.evaluateAll((all) =>
        all.map((each) => (each as { ariaLabel?: string }).ariaLabel),
      ),
    ).toEqual(allowed);
    const response = await page.request.fetch(
      `${platform.consoleUrl}/api/units/${unitId}${path}/registrations/${id}`,
      {
        method: 'PATCH',
        data: { name: 'Mallory' },
        headers: { origin: platform.consoleUrl, 'idempotency-key': `refused-${id}` },
      },
    );
    expect(response.status()).toBe(403);
    expect((await read(id)).name).not.toBe('Mallory');
    await operator.context.close();
  });
});
