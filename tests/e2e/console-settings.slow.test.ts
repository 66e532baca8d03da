import { listDevices } from '@event-api/contracts/operator/devices';
import { getDoorRules, setDoorRules } from '@event-api/contracts/operator/door-rules';
import { getEventLimits, setEventLimits } from '@event-api/contracts/operator/event-limits';
import { setEventFeatures } from '@event-api/contracts/operator/events';
import { createExhibitor } from '@event-api/contracts/operator/exhibitors';
import { setForm } from '@event-api/contracts/operator/forms';
import { createKey, listKeys } from '@event-api/contracts/operator/keys';
import { bindPerk, createPerk, listPerks } from '@event-api/contracts/operator/perks';
import { createSession, createVenue } from '@event-api/contracts/operator/program';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import { httpClient } from '@event-api/platform/testing/http-client';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { type Steps, stepsOf } from './examples/steps.ts';
import type { Body } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let browser: Browser;
let owner: Operator;
let page: Page;
let steps: Steps;
let scope: { businessUnitId: string; eventId: string };
let path: string;
let eventPage: string;
let seatId: string;
let hallId: string;

const zone = 'Europe/Berlin';

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  steps = stepsOf(httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` }));
  const { id: eventId } = await steps.create('/v1/events', {
    ...{ name: 'Fair', timezone: zone },
    ...{ startsAt: '2027-05-10T09:00:00+02:00', endsAt: '2027-05-12T18:00:00+02:00' },
  });
  path = `/v1/events/${eventId}`;
  scope = { businessUnitId: unitId, eventId };
  await steps.patch(path, { status: 'published' });
  seatId = (await steps.create(`${path}/ticket-types`, { name: 'Seat', capacity: 100 })).id;
  await steps.patch(`${path}/ticket-types/${seatId}`, { status: 'open' });
  hallId = (await platform.operator.call(createVenue, { ...scope, name: 'Main hall' })).id;
  owner = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = owner.page;
  eventPage = `/u/${unitId}/events/${eventId}`;
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(owner?.failures).toEqual([]);
});

const button = (name: string, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true });
const dialogOf = (name: string) => page.getByRole('dialog', { name });
const openMenu = (name: string) => owner.click(button(`More actions: ${name}`));
const choose = (name: string) => owner.click(page.getByRole('menuitem', { name, exact: true }));

/** Runs a journey that begins at a page, and returns how many clicks it took. */
async function clicksOf(start: string, journey: () => Promise<void>): Promise<number> {
  await owner.visit(start);
  const before = owner.clicks();
  await journey();
  return owner.clicks() - before;
}

describe('the settings', () => {
  const save = async () => {
    await owner.click(button('Save'));
    await page.getByText('The settings are saved').first().waitFor();
  };

  test('set the limits of a buyer, the features and the rule of the doors, each at its owner', async () => {
    const clicks = await clicksOf(eventPage, async () => {
      await owner.click(page.getByRole('link', { name: 'Settings', exact: true }));
      await page.getByLabel('Seats per email').fill('4');
      await page.getByLabel('A free seat is offered for').fill('90');
      await page.getByRole('textbox', { name: /^Features/ }).fill('livestream\napp');
      await owner.click(page.getByRole('checkbox', { name: /^Turn away the new badge/ }));
      await save();
    });
    expect(clicks).toBeLessThanOrEqual(4);
    expect(await platform.operator.call(getEventLimits, scope)).toMatchObject({
      ...{ maxSeatsPerEmail: 4, waitlistOfferMinutes: 90, maxHoldsPerEmail: null },
    });
    expect(await platform.operator.call(getDoorRules, scope)).toMatchObject({
      refuseIfFormerInside: true,
    });
    expect((await steps.get(path)).features).toEqual(['livestream', 'app']);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('show what is set, and a limit that is emptied is the default again', async () => {
    await page.reload();
    const seats = page.getByLabel('Seats per email');
    await expect.poll(() => seats.inputValue(), { timeout: 30_000 }).toBe('4');
    await seats.fill('');
    await page.getByLabel('Name', { exact: true }).fill('Fair 2027');
    await save();
    const limits = () => platform.operator.call(getEventLimits, scope);
    await expect.poll(limits).toMatchObject({ maxSeatsPerEmail: null, waitlistOfferMinutes: 90 });
    await expect.poll(async () => (await steps.get(path)).name).toBe('Fair 2027');
  });

  test('name the field that the server rejects, and keep the rest', async () => {
    await page.getByLabel('Seats per email').fill('2000000');
    await owner.click(button('Save'));
    await page.getByText('Enter 1000000 or less').waitFor();
    await button('Discard').click();
  });

  test('can be changed while the part with the limits does not respond', async () => {
    await page.route('**/operator/event.getLimits', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 503, status: 'UNAVAILABLE' } } }),
    );
    await page.reload();
    await page.getByText('This part of the platform does not respond', { exact: false }).waitFor({
      timeout: 60_000,
    });
    await page.getByLabel('Name', { exact: true }).fill('Fair');
    await save();
    await expect.poll(async () => (await steps.get(path)).name).toBe('Fair');
    await page.unroute('**/operator/event.getLimits');
  });
});

describe('a device', () => {
  test('is the phone that is held, stays paired until the event is over, in four clicks', async () => {
    const phone = await signInAs(platform, browser, {
      unitId: scope.businessUnitId,
      role: 'door',
      viewport: { width: 390, height: 844 },
    });
    await phone.visit(`${eventPage}/doors`);
    const before = phone.clicks();
    await phone.click(phone.page.getByRole('button', { name: 'Pair a device' }).first());
    const dialog = phone.page.getByRole('dialog', { name: 'Pair a device' });
    await dialog.getByLabel('Name', { exact: true }).fill('Own phone');
    await dialog.getByRole('checkbox', { name: 'Main hall' }).check();
    await phone.click(dialog.getByRole('checkbox', { name: /until the event is over/ }));
    await phone.click(dialog.getByRole('button', { name: 'Show the QR' }));
    const opened = phone.context.waitForEvent('page');
    await phone.click(phone.page.getByRole('link', { name: 'Use this device as the scanner' }));
    const scanner = await opened;
    await scanner.getByRole('heading', { name: 'Main hall' }).waitFor();
    expect(phone.clicks() - before).toBe(4);
    await phone.page.getByRole('dialog', { name: 'Own phone is paired' }).waitFor();
    const { devices } = await platform.operator.call(listDevices, scope);
    expect(devices).toMatchObject([{ name: 'Own phone', state: 'paired' }]);
    const lasts = Date.parse(devices[0]?.expiresAt ?? '') - Date.now();
    expect(lasts).toBeGreaterThan(2 * 86_400_000);
    expect(phone.failures).toEqual([]);
    await phone.context.close();
  });
});

describe('the wall', () => {
  const tiles = () => page.getByRole('dialog').getByRole('list', { name: 'Doors' });

  test('shows how many of those expected are inside, and no door at which nothing has happened', async () => {
    for (const name of ['ada', 'bob']) {
      const person = { email: `${name}@example.com`, registrationTypeId: seatId };
      const { registration } = await steps.create(`${path}/registrations`, person);
      if (name === 'ada') {
        const door = { registrationId: registration.id, subjectType: 'event' };
        await steps.create(`${path}/checkins`, door);
      }
    }
    const clicks = await clicksOf(eventPage, async () => {
      await owner.click(page.getByRole('link', { name: 'Doors', exact: true }));
      await page.getByText('Nobody yet: Main hall').waitFor();
      await owner.click(button('Full screen'));
    });
    expect(clicks).toBeLessThanOrEqual(4);
    await page.getByText('1 of 2 inside').waitFor();
    expect(await tiles().getByRole('listitem').count()).toBe(1);
    const box = await tiles().locator('[data-door]').boundingBox();
    expect(box?.height).toBeGreaterThan(200);
  });

  test('shows the doors that are chosen, also after a reload', async () => {
    await button('Choose doors').click();
    await button('Main hall').click();
    await expect.poll(() => tiles().getByRole('listitem').count()).toBe(2);
    await button('Entrance of the event').click();
    await expect.poll(() => tiles().getByRole('listitem').count()).toBe(1);
    await page.reload();
    await tiles().getByText('Main hall').waitFor();
    expect(await tiles().getByRole('listitem').count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('an exhibitor', () => {
  test('gets staff who are not registered yet, with the ticket of the booth, in one step', async () => {
    const company = { ...scope, name: 'Analytical Engines' };
    const { id } = await platform.operator.call(createExhibitor, company);
    const clicks = await clicksOf(`${eventPage}/exhibitors/${id}`, async () => {
      await owner.click(button('Add a person'));
      await page
        .getByRole('searchbox', { name: 'Name, email or badge code' })
        .fill('new@booth.example');
      await page.getByText('Nobody fits').waitFor();
      await owner.click(button('Register a person'));
      const dialog = dialogOf('Register a person for the company');
      expect(await dialog.getByLabel('Email').inputValue()).toBe('new@booth.example');
      await dialog.getByLabel('Name', { exact: false }).first().fill('Nora New');
      await owner.click(button('Register and add to the roster', dialog));
    });
    expect(clicks).toBeLessThanOrEqual(4);
    await page.getByText('Nora New is registered and on the roster').waitFor();
    const { members } = await steps.get(`${path}/exhibitors/${id}`);
    expect(members).toMatchObject([{ role: 'Staff' }]);
    expect(await steps.get(`${path}/registrations/${members[0].registrationId}`)).toMatchObject({
      ...{ email: 'new@booth.example', name: 'Nora New', registrationTypeId: seatId },
    });
  });
});

describe('a redemption code', () => {
  let codeId: string;
  const read = (): Promise<Body> => steps.get(`${path}/redemption-codes/${codeId}`);

  test('can be used more often after an edit', async () => {
    const body = { registrationTypeId: seatId, code: 'FRIENDS' };
    const created = await steps.create(`${path}/redemption-codes`, body);
    codeId = created.redemptionCodes[0].id;
    const clicks = await clicksOf(eventPage, async () => {
      await owner.click(page.getByRole('link', { name: 'Codes', exact: true }));
      await openMenu('FRIENDS');
      await choose('Edit');
      const dialog = dialogOf('Edit FRIENDS');
      await dialog.getByLabel('Uses per code').fill('25');
      await dialog.getByLabel('Label').fill('Friends of the house');
      await owner.click(button('Save', dialog));
    });
    expect(clicks).toBe(4);
    await page.getByText('FRIENDS is saved').waitFor();
    expect(await read()).toMatchObject({ maxUses: 25, label: 'Friends of the house' });
  });

  test('stops working in three clicks, after the page has said what follows', async () => {
    const clicks = await clicksOf(`${eventPage}/codes`, async () => {
      await openMenu('FRIENDS');
      await choose('Disable');
      await page.getByText('Nobody can use it any more.', { exact: false }).waitFor();
      await owner.click(button('Disable FRIENDS', page.getByRole('dialog')));
    });
    expect(clicks).toBe(3);
    await page.getByText('FRIENDS is disabled').waitFor();
    expect(await read()).toMatchObject({ status: 'disabled' });
  });
});

describe('an API key', () => {
  const keyOf = async (name: string) => {
    const { businessUnitId } = scope;
    const { keys } = await platform.operator.call(listKeys, { businessUnitId });
    return keys.find((key) => key.name === name);
  };

  test('permits nothing until something is chosen', async () => {
    const clicks = await clicksOf(eventPage, async () => {
      await owner.click(page.getByRole('link', { name: 'API keys', exact: true }));
      await owner.click(button('New key'));
      const dialog = dialogOf('New key');
      await dialog.getByLabel('Name', { exact: true }).fill('Display');
      await dialog.getByText('This key permits nothing yet. Choose what it is for.').waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByText('Add at least 1').waitFor();
      await owner.click(dialog.getByRole('checkbox', { name: /^Read/ }));
      await owner.click(button('Create the restricted key', dialog));
    });
    expect(clicks).toBe(4);
    await dialogOf('Copy the secret now').waitFor();
    expect(await keyOf('Display')).toMatchObject({ groups: ['read'] });
    await button('Done').click();
  });

  test('gets another name, other permissions and an expiry, and keeps its secret', async () => {
    const key = { businessUnitId: scope.businessUnitId, name: 'Box', groups: ['read' as const] };
    const { secret, displayPrefix } = await platform.operator.call(createKey, key);
    const orders = httpClient(platform.baseUrl, { authorization: `Bearer ${secret}` });
    const place = () => orders('POST', `${path}/orders`, { body: {} });
    expect((await place()).status).toBe(403);
    await page.reload();
    const clicks = await clicksOf(`/u/${scope.businessUnitId}/keys`, async () => {
      await owner.click(button('Edit Box'));
      const dialog = dialogOf('Edit Box');
      await dialog.getByLabel('Name', { exact: true }).fill('Box office');
      await owner.click(dialog.getByRole('checkbox', { name: /^Sell/ }));
      await dialog.getByLabel('Expires').fill('2030-01-01T10:00');
      await owner.click(button('Save', dialog));
    });
    expect(clicks).toBe(3);
    await page.getByText('Box office is saved').waitFor();
    expect(await keyOf('Box office')).toMatchObject({
      ...{
        groups: ['read', 'sell'],
        displayPrefix,
        expiresAt: expect.stringMatching(/^20(29|30)/),
      },
    });
    await expect.poll(async () => (await place()).status).toBe(400);
  });
});

describe('tickets', () => {
  test('show what is sold, held and left', async () => {
    const type = await steps.create(`${path}/ticket-types`, { name: 'Day', capacity: 10 });
    await steps.patch(`${path}/ticket-types/${type.id}`, { status: 'open' });
    const person = { email: 'dora@example.com', registrationTypeId: type.id };
    await steps.create(`${path}/registrations`, person);
    const items = [{ itemType: 'registration_type', itemId: type.id, quantity: 1 }];
    await steps.create(`${path}/orders`, { email: 'olaf@example.com', items });
    await owner.visit(`${eventPage}/tickets`);
    await page.reload();
    const row = page.getByRole('table', { name: 'Ticket types' }).getByRole('row', { name: /Day/ });
    await row.getByText('1 of 10').waitFor();
    const cells = await row.getByRole('cell').allTextContents();
    expect(cells.slice(1, -1)).toEqual(['On sale', 'Free', '1 of 10', '1', '8', '–']);
    await steps.patch(`${path}/ticket-types/${type.id}`, { status: 'archived' });
  });

  test('are ordered with the keyboard, the mouse and the menu', async () => {
    for (const name of ['Student', 'Patron']) {
      await steps.create(`${path}/ticket-types`, { name, sortOrder: 1 });
    }
    await page.reload();
    const names = async () => {
      const { ticketTypes } = await steps.get(`${path}/ticket-types`);
      return ticketTypes
        .filter(({ status }: Body) => status !== 'archived')
        .map(({ name }: Body) => name);
    };
    expect(await names()).toEqual(['Seat', 'Student', 'Patron']);
    const handle = (name: string) =>
      page.getByRole('button', { name: new RegExp(`^Move ${name}`) });
    await handle('Patron').focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('Patron is 2 of 3').waitFor({ state: 'attached' });
    await page.keyboard.press('ArrowUp');
    await expect.poll(names).toEqual(['Patron', 'Seat', 'Student']);
    await page.locator(':focus').and(handle('Patron')).waitFor();
    await handle('Student').dragTo(page.getByRole('row', { name: /Patron/ }));
    await expect.poll(names).toEqual(['Student', 'Patron', 'Seat']);
    await openMenu('Seat');
    await choose('Move up');
    await expect.poll(names).toEqual(['Student', 'Seat', 'Patron']);
    // The menu moves from where the page shows it.
    const handles = page.getByRole('button', { name: /^Move / });
    const shown = async () =>
      (await handles.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).map(
        (label) => /^Move (\w+)/.exec(label ?? '')?.[1],
      );
    await expect.poll(shown).toEqual(['Student', 'Seat', 'Patron']);
    await openMenu('Seat');
    await choose('Move down');
    await expect.poll(names).toEqual(['Student', 'Patron', 'Seat']);
  });

  test('of a bundle stop being sold', async () => {
    const items = [{ itemType: 'registration_type', itemId: seatId, quantity: 2 }];
    const { id } = await steps.create(`${path}/bundles`, { name: 'Pair', items });
    await steps.patch(`${path}/bundles/${id}`, { status: 'open' });
    // A page shows what it has read in the last seconds.
    await page.reload();
    const clicks = await clicksOf(eventPage, async () => {
      await owner.click(page.getByRole('link', { name: 'Tickets & add-ons', exact: true }));
      await openMenu('Pair');
      await choose('Stop the sale');
    });
    expect(clicks).toBe(3);
    await expect.poll(async () => (await steps.get(`${path}/bundles/${id}`)).status).toBe('closed');
  });
});

describe('an event', () => {
  const copyOf = async (name: string): Promise<Body> => {
    const { events } = await steps.get('/v1/events');
    return events.find((event: Body) => event.name === name);
  };

  beforeAll(async () => {
    const { operator } = platform;
    await operator.call(setEventLimits, { ...scope, waitlistOfferMinutes: 90 });
    await operator.call(setEventFeatures, { ...scope, features: ['livestream', 'app'] });
    await operator.call(setDoorRules, { ...scope, refuseIfFormerInside: true });
    const { id: perkId } = await platform.operator.call(createPerk, { ...scope, name: 'Lounge' });
    const target = { targetType: 'registration_type', targetId: seatId } as const;
    await platform.operator.call(bindPerk, { ...scope, perkId, ...target });
    const questions = [{ id: 'diet', label: 'Diet', type: 'text' as const, required: false }];
    await platform.operator.call(setForm, { ...scope, questions });
    await steps.create(`${path}/addons`, { name: 'T-shirt', priceAmount: 1500 });
    await platform.operator.call(createSession, {
      ...{ ...scope, title: 'Opening', venueId: hallId, perkIds: [perkId] },
      ...{ startsAt: '2027-05-11T09:00:00+02:00', endsAt: '2027-05-11T10:00:00+02:00' },
    });
  });

  test('is copied without its people in four clicks, goes on after a failure, and nothing exists twice', async () => {
    let isFailing = true;
    await page.route('**/operator/venue.create', async (route) => {
      if (isFailing) await route.abort();
      else await route.continue();
    });
    const clicks = await clicksOf(eventPage, async () => {
      await owner.click(page.getByRole('link', { name: 'Settings', exact: true }));
      await owner.click(button('Duplicate'));
      const dialog = dialogOf('Duplicate Fair');
      await dialog
        .getByText('3 ticket types, 1 add-on, 1 bundle, 1 perk', { exact: false })
        .waitFor();
      expect(await dialog.getByLabel('Starts').inputValue()).toBe('2028-05-08T09:00');
      await dialog.getByLabel('Name', { exact: true }).fill('Fair 2028');
      await owner.click(button('Create the copy', dialog));
      await dialog
        .getByText('The copy has stopped after 12 of 14 steps', { exact: false })
        .waitFor();
      isFailing = false;
      await owner.click(button('Continue', dialog));
    });
    expect(clicks).toBe(4);
    await page.getByText('Fair 2028 is created').waitFor();
    const copy = await copyOf('Fair 2028');
    expect(copy).toMatchObject({
      ...{ status: 'draft', timezone: zone, features: ['livestream', 'app'] },
      ...{ startsAt: '2028-05-08T07:00:00.000Z', endsAt: '2028-05-10T16:00:00.000Z' },
    });
    const read = (what: string) => steps.get(`/v1/events/${copy.id}/${what}`);
    const { ticketTypes } = await read('ticket-types');
    expect(ticketTypes.map(({ name, status }: Body) => [name, status])).toEqual([
      ['Student', 'draft'],
      ['Patron', 'draft'],
      ['Seat', 'draft'],
    ]);
    const seat = ticketTypes.at(-1);
    expect(seat).toMatchObject({ capacity: 100, counts: { confirmed: 0 } });
    expect((await read('bundles')).bundles).toMatchObject([
      { name: 'Pair', status: 'draft', items: [{ itemId: seat.id, quantity: 2 }] },
    ]);
    expect((await read('addons')).addons).toMatchObject([{ name: 'T-shirt', priceAmount: 1500 }]);
    expect((await read('form')).questions).toMatchObject([{ id: 'diet' }]);
    const ofCopy = { ...scope, eventId: copy.id };
    const { perks } = await platform.operator.call(listPerks, ofCopy);
    expect(perks).toMatchObject([{ name: 'Lounge', bindings: [{ targetId: seat.id }] }]);
    const { venues } = await read('venues');
    expect(venues).toMatchObject([{ name: 'Main hall' }]);
    expect((await read('sessions')).sessions).toMatchObject([
      {
        ...{ title: 'Opening', venueId: venues[0].id, perkIds: [perks[0]?.id] },
        startsAt: '2028-05-09T07:00:00.000Z',
      },
    ]);
    expect(await platform.operator.call(getEventLimits, ofCopy)).toMatchObject({
      waitlistOfferMinutes: 90,
    });
    expect((await read('registrations')).registrations).toEqual([]);
    expect((await read('redemption-codes')).redemptionCodes).toEqual([]);
    expect((await steps.get('/v1/events')).events).toHaveLength(2);
  });
});

describe('all commands', () => {
  test('are in the account menu of an owner, and of nobody else', async () => {
    await owner.visit(eventPage);
    expect(await page.getByRole('link', { name: 'All commands' }).count()).toBe(0);
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'All commands' }).click();
    await page.getByRole('heading', { name: 'All commands' }).waitFor();
    const organizer = await signInAs(platform, browser, {
      unitId: scope.businessUnitId,
      role: 'organizer',
    });
    await organizer.visit(eventPage);
    await organizer.page.getByRole('button', { name: /^Your account/ }).click();
    await organizer.page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await organizer.page.getByRole('menuitem', { name: 'All commands' }).count()).toBe(0);
    await organizer.context.close();
  });
});
