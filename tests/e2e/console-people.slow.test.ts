import { readFileSync } from 'node:fs';
import { setForm } from '@event-api/contracts/operator/forms';
import { readPdf } from '@event-api/platform/testing/badges';
import { closeContexts, sharedBrowser, violationsOf } from '@event-api/platform/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Operator, signInAs } from './console/operator.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { rawClient } from './raw-client.ts';

/** The most clicks of a job, from the list to its result. */
const maxClicks = 4;

let platform: PlatformFixture;
let browser: Browser;
let operator: Operator;
let page: Page;
let unitId: string;
let eventPath: string;
let apiPath: string;
let eventId: string;
let types: Record<'seat' | 'vip' | 'gated' | 'small', string>;
/** Sends a request as an integrator of the unit does. */
// biome-ignore lint/suspicious/noExplicitAny: the tests read fields of records.
let send: (method: string, path: string, body?: object) => Promise<any>;

const desktop = { width: 1440, height: 900 };
const phone = { width: 375, height: 800 };

beforeAll(async () => {
  [platform, browser] = await Promise.all([sharedPlatform(), sharedBrowser()]);
  const created = await platform.newUnit({ rateLimitPerMinute: 10_000 });
  unitId = created.unitId;
  const request = rawClient(platform.baseUrl, created.secret);
  send = async (method, path, body) => {
    const response = await request({ method, path, ...(body && { body: JSON.stringify(body) }) });
    expect(response.status, response.body).toBeLessThan(300);
    return JSON.parse(response.body);
  };
  operator = await signInAs(platform, browser, { unitId, role: 'owner' });
  page = operator.page;
  page.setDefaultTimeout(20_000);
}, 600_000);
afterAll(async () => {
  await closeContexts(browser);
  expect(operator?.failures).toEqual([]);
});

const newType = async (fields: object): Promise<string> => {
  const { id } = await send('POST', `${apiPath}/ticket-types`, fields);
  await send('PATCH', `${apiPath}/ticket-types/${id}`, { status: 'open' });
  return id;
};

// Each job has an event of its own.
beforeEach(async () => {
  const event = await send('POST', '/v1/events', {
    name: 'Summit',
    timezone: 'Europe/Berlin',
    startsAt: '2027-05-10T09:00:00+02:00',
    endsAt: '2027-05-11T18:00:00+02:00',
  });
  eventId = event.id;
  apiPath = `/v1/events/${eventId}`;
  eventPath = `/u/${unitId}/events/${eventId}`;
  types = {
    seat: await newType({ name: 'Seat' }),
    vip: await newType({ name: 'Evening reception', priceAmount: 30_000 }),
    gated: await newType({ name: 'Student', requiresApproval: true }),
    small: await newType({ name: 'Workshop', capacity: 1, allowWaitlist: true }),
  };
  await platform.operator.call(setForm, {
    businessUnitId: unitId,
    eventId,
    questions: [
      { id: 'meal', label: 'Meal', type: 'choice', required: true, options: ['Vegan', 'Any'] },
      { id: 'bus', label: 'Bus', type: 'boolean', required: false },
    ],
  });
  await page.setViewportSize(desktop);
});

const register = async (name: string, registrationTypeId: string, fields: object = {}) => {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}a@example.com`;
  const body = { email, name, registrationTypeId, ...fields };
  return (await send('POST', `${apiPath}/registrations`, body)).registration;
};
const read = (id: string) => send('GET', `${apiPath}/registrations/${id}`);
const statusesOf = async (people: { id: string }[]) =>
  Promise.all(people.map(async ({ id }) => (await read(id)).status));
const ofEmail = async (email: string) =>
  (await send('GET', `${apiPath}/registrations?email=${encodeURIComponent(email)}`))
    .registrations[0];

const open = (query = '') => operator.visit(`${eventPath}/registrations${query}`);
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialogOf = (name: string | RegExp) => page.getByRole('dialog', { name });
const select = (name: string) =>
  operator.click(page.getByRole('checkbox', { name: `Select ${name}` }));
/** Runs a job and limits its clicks. */
async function inFewClicks(job: () => Promise<void>, limit = maxClicks): Promise<void> {
  const before = operator.clicks();
  await job();
  expect(operator.clicks() - before).toBeLessThanOrEqual(limit);
}
const names = () =>
  page
    .getByRole('table', { name: 'Registrations' })
    .getByRole('row')
    .getByRole('link')
    .allTextContents();

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('a person is added on %s', (_, viewport) => {
  beforeEach(() => page.setViewportSize(viewport));

  const openDialog = async () => {
    await operator.click(button('Add person'));
    return dialogOf('Add a person');
  };

  test('with the answers to the questions, which are checked like those of a form', async () => {
    await open();
    await inFewClicks(async () => {
      const dialog = await openDialog();
      await dialog.getByLabel('Email').fill('ada@example.com');
      await dialog.getByLabel(/^Name/).fill('Ada Lovelace');
      await dialog.getByLabel('Ticket').selectOption({ label: 'Seat' });
      await dialog.getByLabel(/^Bus/).selectOption('Yes');
      await operator.click(dialog.getByRole('button', { name: 'Add', exact: true }));
      await dialog.getByText('Enter a value').waitFor();
      await dialog.getByLabel('Meal').selectOption('Vegan');
      await operator.click(dialog.getByRole('button', { name: 'Add', exact: true }));
      await dialogOf('Ada Lovelace is confirmed').waitFor();
      await operator.click(button('Done'));
    });
    expect(await ofEmail('ada@example.com')).toMatchObject({
      name: 'Ada Lovelace',
      status: 'confirmed',
      registrationTypeId: types.seat,
      responses: { meal: 'Vegan', bus: true },
    });
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  });

  test('as a walk-in, who is checked in and gets a badge', async () => {
    await open();
    await inFewClicks(async () => {
      const dialog = await openDialog();
      await dialog.getByLabel('Email').fill('grace@example.com');
      await dialog.getByLabel(/^Name/).fill('Grace');
      // The ticket needs an approval, which letting a person in is.
      await dialog.getByLabel('Ticket').selectOption({ label: 'Student' });
      await operator.click(dialog.getByLabel('Walk-in: check in now'));
      await operator.click(dialog.getByRole('button', { name: 'Add', exact: true }));
      await dialogOf(/^Grace is registered and checked in/).waitFor();
    });
    const { id, status } = await ofEmail('grace@example.com');
    expect(status).toBe('confirmed');
    const { checkins } = await send('GET', `${apiPath}/checkins?registrationId=${id}`);
    expect(checkins).toMatchObject([{ subjectType: 'event', method: 'manual' }]);
    const href = await page.getByRole('link', { name: 'Print badge' }).getAttribute('href');
    const read = () => page.request.get(new URL(href ?? '', page.url()).href);
    // The first badge loads libraries and fonts, and a busy machine is late.
    await expect.poll(async () => (await read()).status(), { timeout: 60_000 }).toBe(200);
    expect((await readPdf(await (await read()).body()))[0]?.text).toContain('Grace');
  });
});

describe('a person who is added', () => {
  test('gets a ticket with a price free of charge, and the list says so', async () => {
    await open();
    await inFewClicks(async () => {
      await operator.click(button('Add person'));
      const dialog = dialogOf('Add a person');
      await dialog.getByLabel('Email').fill('vera@example.com');
      await dialog
        .getByLabel('Ticket')
        .selectOption({ label: 'Evening reception – €300.00, complimentary' });
      await operator.click(dialog.getByRole('button', { name: 'Add', exact: true }));
      await dialogOf('vera@example.com is confirmed, free of charge').waitFor();
      await operator.click(button('Done'));
    });
    expect(await ofEmail('vera@example.com')).toMatchObject({
      status: 'confirmed',
      registrationTypeId: types.vip,
      orderId: null,
      responses: null,
    });
    await page
      .getByRole('row', { name: /vera@example.com/ })
      .getByText('Complimentary')
      .waitFor();
  });

  test('who was registered before stays as they are', async () => {
    const ada = await register('Ada', types.gated);
    await open();
    await operator.click(button('Add person'));
    const dialog = dialogOf('Add a person');
    await dialog.getByLabel('Email').fill('ADAA@example.com');
    await dialog.getByLabel('Ticket').selectOption({ label: 'Seat' });
    await dialog.getByLabel('Walk-in: check in now').check();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialogOf('Ada was registered before. Nothing was changed.').waitFor();
    expect(await read(ada.id)).toEqual(ada);
    await button('Add another').click();
    expect(await dialogOf('Add a person').getByLabel('Email').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });

  test('needs the permission to register people', async () => {
    const viewer = await signInAs(platform, browser, { unitId, role: 'viewer' });
    await viewer.visit(`${eventPath}/registrations`);
    await viewer.page.getByRole('button', { name: 'Columns' }).waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Add person' }).count()).toBe(0);
    expect(await viewer.page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
  });
});

describe('selected people', () => {
  test('are approved after a confirmation that says for how many, and who stays', async () => {
    const people = [
      await register('Ada', types.gated),
      await register('Bob', types.gated),
      await register('Carl', types.seat),
    ];
    await open();
    await inFewClicks(async () => {
      await operator.click(page.getByRole('checkbox', { name: 'Select all loaded rows' }));
      await operator.click(button('Approve 2 people'));
      const dialog = dialogOf('Approve 2 people?');
      await dialog.getByText('2 people are confirmed and get a badge.', { exact: false }).waitFor();
      await dialog.getByText('1 of 3 is already confirmed and stays.').waitFor();
      expect(await statusesOf(people)).toEqual(['pending', 'pending', 'confirmed']);
      await operator.click(dialog.getByRole('button', { name: 'Approve 2 people' }));
      await dialogOf('Result for each person').getByText('2 of 2 done').waitFor();
      await operator.click(
        dialogOf('Result for each person').getByRole('button', { name: 'Done' }),
      );
    });
    expect(await statusesOf(people)).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  test('are rejected, and those who were decided meanwhile are named with the reason', async () => {
    const people = [await register('Ada', types.gated), await register('Bob', types.gated)];
    await open();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await button('Reject 2 people').click();
    await send('POST', `${apiPath}/registrations/${people[0].id}/approve`, {});
    await dialogOf('Reject 2 people?').getByRole('button', { name: 'Reject 2 people' }).click();
    const result = dialogOf('Result for each person');
    await result.getByRole('heading', { name: '1 person could not be changed' }).waitFor();
    const failed = result.getByRole('listitem').filter({ hasText: 'Ada' });
    await failed.getByText('Somebody else has changed this person.').waitFor();
    expect(await statusesOf(people)).toEqual(['confirmed', 'rejected']);
    await result.getByRole('button', { name: 'Done' }).click();
  });

  test('stay as they are if another operator changes them while they are changed', async () => {
    const people = [await register('Ada', types.seat), await register('Bob', types.seat)];
    await open();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    await page
      .getByRole('region', { name: '2 selected' })
      .getByRole('button', { name: 'More actions' })
      .click();
    await page.getByRole('menuitem', { name: 'Cancel 2 people' }).click();
    // The badge is somebody else's when the cancellation arrives.
    await page.route(`**/${people[0].id}/cancel`, async (route) => {
      await send('PATCH', `${apiPath}/registrations/${people[0].id}`, { name: 'Grace' });
      await route.continue();
    });
    await dialogOf('Cancel 2 people?').getByRole('button', { name: 'Cancel 2 people' }).click();
    const result = dialogOf('Result for each person');
    await result.getByText('2 of 2 done').waitFor();
    await result
      .getByRole('listitem')
      .filter({ hasText: 'Ada' })
      .getByText('Somebody else has changed this person.')
      .waitFor();
    expect(await statusesOf(people)).toEqual(['confirmed', 'cancelled']);
    await page.unroute(`**/${people[0].id}/cancel`);
    await result.getByRole('button', { name: 'Done' }).click();
  });

  test('are confirmed from the waitlist without a payment, while seats are left', async () => {
    const priced = { name: 'Dinner', priceAmount: 9000, capacity: 1, allowWaitlist: true };
    const dinner = await newType(priced);
    const ada = await register('Ada', dinner);
    const waiting = [await register('Bob', dinner), await register('Carl', dinner)];
    // The seat is offered to Bob, who would have to pay for it.
    await send('POST', `${apiPath}/registrations/${ada.id}/cancel`, {});
    await open('?status=waitlisted');
    await inFewClicks(async () => {
      await operator.click(page.getByRole('checkbox', { name: 'Select all loaded rows' }));
      await operator.click(button('Confirm 2 people'));
      await operator.click(
        dialogOf(/^Confirm 2 people/).getByRole('button', { name: 'Confirm 2 people' }),
      );
      await dialogOf('Result for each person').getByText('1 person could not be changed').waitFor();
      await operator.click(
        dialogOf('Result for each person').getByRole('button', { name: 'Done' }),
      );
    });
    expect((await statusesOf(waiting)).toSorted()).toEqual(['confirmed', 'waitlisted']);
  });

  test('are cancelled, and their orders stay', async () => {
    const people = [await register('Ada', types.seat), await register('Bob', types.gated)];
    await open();
    await inFewClicks(async () => {
      await operator.click(page.getByRole('checkbox', { name: 'Select all loaded rows' }));
      await operator.click(
        page
          .getByRole('region', { name: '2 selected' })
          .getByRole('button', { name: 'More actions' }),
      );
      await operator.click(page.getByRole('menuitem', { name: 'Cancel 2 people' }));
      const dialog = dialogOf('Cancel 2 people?');
      await dialog.getByText('This cannot be undone.', { exact: false }).waitFor();
      await operator.click(dialog.getByRole('button', { name: 'Cancel 2 people' }));
      await dialogOf('Result for each person').getByText('2 of 2 done').waitFor();
    });
    expect(await statusesOf(people)).toEqual(['cancelled', 'cancelled']);
    await dialogOf('Result for each person').getByRole('button', { name: 'Done' }).click();
  });

  test('get another ticket, which can be undone', async () => {
    const people = [await register('Ada', types.seat), await register('Bob', types.small)];
    const ticketsOf = () =>
      Promise.all(people.map(async ({ id }) => (await read(id)).registrationTypeId));
    await open();
    await inFewClicks(async () => {
      await operator.click(page.getByRole('checkbox', { name: 'Select all loaded rows' }));
      await operator.click(
        page
          .getByRole('region', { name: '2 selected' })
          .getByRole('button', { name: 'More actions' }),
      );
      await operator.click(page.getByRole('menuitem', { name: 'Change the ticket of 2 people' }));
      const dialog = dialogOf(/^Change the ticket/);
      await dialog.getByLabel('New ticket').selectOption({ label: 'Seat' });
      await dialog.getByText('1 of 2 is already on this ticket and stays.').waitFor();
      await operator.click(dialog.getByRole('button', { name: 'Change the ticket of 1 person' }));
    });
    const result = dialogOf('Result for each person');
    await result.getByText('1 of 1 done').waitFor();
    expect(await ticketsOf()).toEqual([types.seat, types.seat]);
    await button('Undo the change of tickets').click();
    await expect.poll(ticketsOf).toEqual([types.seat, types.small]);
    await result.getByRole('button', { name: 'Done' }).click();
  });

  test('get their badges and a file with their rows only', async () => {
    const ada = await register('Ada', types.seat);
    await register('Bob', types.seat);
    await register('Carl', types.gated);
    await open();
    await select('Ada');
    await select('Carl');
    let saved = page.waitForEvent('download');
    await operator.click(button('1 badge'));
    const pages = await readPdf(readFileSync(await (await saved).path()));
    expect(pages.map(({ codes }) => codes)).toEqual([[ada.checkinCode]]);
    saved = page.waitForEvent('download');
    await operator.click(button('Export 2'));
    const file = readFileSync(await (await saved).path(), 'utf8');
    expect(file).toContain('adaa@example.com');
    expect(file).toContain('carla@example.com');
    expect(file).not.toContain('boba@example.com');
  });

  test('are everybody who fits the filters, also beyond the loaded rows', async () => {
    const people = [];
    for (let n = 0; n < 53; n++) people.push(await register(`Guest ${n}`, types.gated));
    await register('Carl', types.seat);
    await open('?status=pending');
    await page.getByText('1–50 of 53').waitFor();
    await inFewClicks(async () => {
      await operator.click(page.getByRole('checkbox', { name: 'Select all loaded rows' }));
      await operator.click(button('Select all 53'));
      await operator.click(button('Approve 53 people'));
      await operator.click(
        dialogOf('Approve 53 people?').getByRole('button', { name: 'Approve 53 people' }),
      );
    });
    await dialogOf('Result for each person')
      .getByText('53 of 53 done')
      .waitFor({ timeout: 60_000 });
    await dialogOf('Result for each person').getByRole('button', { name: 'Done' }).click();
    expect(new Set(await statusesOf(people))).toEqual(new Set(['confirmed']));
  });
});

describe('the list', () => {
  const fill = async () => {
    await register('Carl', types.seat, { responses: { meal: 'Vegan' } });
    await register('ádám', types.gated);
    await register('Bob', types.vip, { responses: { meal: 'Any', bus: false } });
  };

  test('counts people by status, and is sorted by its headers', async () => {
    await fill();
    await open();
    await button('All 3').waitFor();
    await page.getByText('1–3 of 3').waitFor();
    expect(await names()).toEqual(['Bob', 'ádám', 'Carl']);
    await operator.click(button('Name'));
    await expect.poll(names).toEqual(['ádám', 'Bob', 'Carl']);
    await operator.click(button('Name'));
    await expect.poll(names).toEqual(['Carl', 'Bob', 'ádám']);
    const header = page.getByRole('columnheader', { name: 'Name' });
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await operator.click(button('Registered'));
    await expect.poll(names).toEqual(['Bob', 'ádám', 'Carl']);
    await operator.click(button('Pending 1'));
    await expect.poll(names).toEqual(['ádám']);
    await page.getByText('1–1 of 1').waitFor();
  });

  test('shows who has no answer, and answers as columns', async () => {
    await fill();
    await open();
    const answers = page.getByRole('combobox', { name: 'Answers' });
    await answers.selectOption({ label: 'Meal: no answer' });
    await expect.poll(names).toEqual(['ádám']);
    await button('All 1').waitFor();
    await answers.selectOption({ label: 'Meal: Vegan' });
    await expect.poll(names).toEqual(['Carl']);
    await answers.selectOption({ label: 'Bus: No' });
    await expect.poll(names).toEqual(['Bob']);
    await button('Columns').click();
    await page.getByRole('checkbox', { name: 'Meal' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'Any', exact: true }).waitFor();
  });

  test('keeps views under a name, each with an address', async () => {
    await fill();
    await open('?status=confirmed&sort=name');
    await expect.poll(names).toEqual(['Bob', 'Carl']);
    await inFewClicks(async () => {
      await operator.click(button('Views'));
      await page.getByLabel('Name of this view').fill('Confirmed A–Z');
      await operator.click(button('Save view'));
    });
    await open();
    await expect.poll(names).toEqual(['Bob', 'ádám', 'Carl']);
    await button('Views').click();
    await page.getByRole('link', { name: 'Confirmed A–Z' }).click();
    await expect.poll(names).toEqual(['Bob', 'Carl']);
    expect(new URL(page.url()).search).toBe('?status=confirmed&sort=name');
    await button('Views').click();
    await button('Remove the view Confirmed A–Z').click();
    expect(await page.getByRole('link', { name: 'Confirmed A–Z' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test.each([
    ['light', desktop],
    ['dark', phone],
  ])('is accessible in %s, and scrolls in no direction but down', async (theme, viewport) => {
    await fill();
    const workshop = await newType({ name: 'Professional development workshop and dinner' });
    await register('Maximiliane-Charlotte Hohenlohe-Langenburg-Schillingsfuerst', workshop);
    await page.setViewportSize(viewport);
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await open();
    await page.getByRole('link', { name: 'Bob' }).waitFor();
    await select('Bob');
    expect(await violationsOf(page)).toEqual([]);
    const isWide = () =>
      page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
    expect(await isWide()).toBe(false);
    if (viewport === desktop) {
      const table = page.getByRole('table', { name: 'Registrations' });
      const cells = await table
        .locator('td')
        .evaluateAll((all) =>
          all.flatMap(({ scrollWidth, clientWidth, textContent }) =>
            scrollWidth > clientWidth ? [textContent] : [],
          ),
        );
      expect(cells, 'cells whose text is over the next one').toEqual([]);
      const hidden = await table.evaluate(({ scrollWidth, parentElement }) =>
        Math.max(0, scrollWidth - (parentElement?.clientWidth ?? 0)),
      );
      expect(hidden, 'pixels of columns that are cut off').toBe(0);
    }
    await button('Add person').click();
    await dialogOf('Add a person').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(await isWide()).toBe(false);
    await page.keyboard.press('Escape');
  });
});
