import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  approveRegistration,
  type Client,
  cancelRegistration,
  createClient,
  createEvent,
  createRegistration,
  createTicketType,
  listAll,
  listOrders,
  listRegistrations,
  updateTicketType,
} from '@event-api/client';
import { createKey } from '@event-api/contracts/operator/keys';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { pay } from './fixtures/checkout.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';
import { userEnvironment } from './user-environment.ts';

const folder = join(import.meta.dirname, '../../examples');

let platform: PlatformFixture;
beforeAll(async () => {
  platform = await sharedPlatform();
});

/** A business unit with one event and one open ticket type. */
async function createSale(type: {
  priceAmount?: number;
  capacity?: number;
  allowWaitlist?: boolean;
  requiresApproval?: boolean;
}) {
  const { unitId, secret } = await platform.newUnit({ rateLimitPerMinute: 1_000_000 });
  const client = createClient({ baseUrl: platform.baseUrl, apiKey: secret });
  const event = await createEvent({ client, body: { name: 'A & B', timezone: 'UTC' } });
  const path = { eventId: event.id };
  const body = { name: '<b>Seat</b>', capacity: 10, ...type };
  const { id: typeId } = await createTicketType({ client, path, body });
  await updateTicketType({ client, path: { ...path, typeId }, body: { status: 'open' } });
  return { unitId, secret, client, path, typeId };
}

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

interface Running {
  child: ChildProcess;
  output(): string;
  ended: Promise<number | null>;
}

/** Starts an example. It ends with the test. */
function start(file: string, env: Record<string, string>, args: string[] = []): Running {
  const child = spawn(process.execPath, [join(folder, file), ...args], {
    env: { ...userEnvironment(), EVENT_API_URL: platform.baseUrl, PORT: '0', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => text, ended };
}

/** Starts an example that serves pages. Returns its address. */
async function startPages(file: string, env: Record<string, string>): Promise<string> {
  const { output } = start(file, env);
  return eventually(() => {
    const [address] = /http:\S+/.exec(output()) ?? [];
    if (!address) throw new Error(`no address: ${output()}`);
    return address;
  });
}

const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

const locationOf = (response: Response): string => response.headers.get('location') ?? '';

describe('the ticket shop', () => {
  const startShop = async (type: Parameters<typeof createSale>[0]) => {
    const sale = await createSale(type);
    const env = { EVENT_API_KEY: sale.secret, EVENT_ID: sale.path.eventId };
    return { ...sale, shop: await startPages('ticket-shop.ts', env) };
  };
  const ordersOf = ({ client, path }: { client: Client; path: { eventId: string } }) =>
    collect(listAll(listOrders, { client, path }));

  test('sells a ticket on the payment page, once, also after a second click', async () => {
    const sale = await startShop({ priceAmount: 1500 });
    const page = await (await fetch(sale.shop)).text();
    expect(page).toContain('€15.00');
    expect(page).toContain('A &#38; B');
    expect(page).not.toContain('<b>');
    const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(page) ?? [];
    const form = { typeId: sale.typeId, email: 'ada@example.com', attempt };
    const [first, second] = await Promise.all([
      submit(`${sale.shop}/orders`, form),
      submit(`${sale.shop}/orders`, form),
    ]);
    expect(locationOf(first)).toMatch(/\/pay\//);
    expect(locationOf(second)).toBe(locationOf(first));
    await pay(locationOf(first));
    const [order, ...others] = await ordersOf(sale);
    expect(others).toEqual([]);
    await eventually(async () => {
      const thanks = await fetch(`${sale.shop}/thanks?order=${order?.orderNumber}`);
      const page = await thanks.text();
      expect(page).toContain('<h1>Thank you</h1>');
      const [, badge = ''] = /href="(\/badges\/[^"]+)"/.exec(page) ?? [];
      const file = await (await fetch(new URL(badge, sale.shop))).bytes();
      expect(new TextDecoder().decode(file.subarray(0, 5))).toBe('%PDF-');
    });
  });

  test.each([0, 1500])(
    'takes an application for a ticket that costs %s and requires approval, and delivers no badge for it',
    async (priceAmount) => {
      const sale = await startShop({ priceAmount, requiresApproval: true });
      const home = await (await fetch(sale.shop)).text();
      expect(home).toContain('Apply');
      const [, action = ''] = /action="([^"]+)"/.exec(home) ?? [];
      const apply = () => {
        const form = { typeId: sale.typeId, email: 'ada@example.com' };
        return submit(`${sale.shop}${action}`, { ...form, attempt: crypto.randomUUID() });
      };
      for (const response of [await apply(), await apply()]) {
        const page = await response.text();
        expect(page).toContain('<h1>We have received your application</h1>');
        expect(page).not.toContain('/badges/');
      }
      const { client, path } = sale;
      const [registration, ...others] = await collect(listAll(listRegistrations, { client, path }));
      expect([registration?.status, others]).toEqual(['pending', []]);
      await approveRegistration({ client, path: { ...path, id: registration?.id ?? '' } });
      const approved = await apply();
      if (priceAmount > 0) expect(locationOf(approved)).toMatch(/\/pay\//);
      else expect(await approved.text()).toContain(`/badges/${registration?.id}`);
    },
  );

  test('calls no ticket what an order of an application has, whatever form sent it', async () => {
    const sale = await startShop({ priceAmount: 0, requiresApproval: true });
    const form = { typeId: sale.typeId, email: 'ada@example.com', attempt: crypto.randomUUID() };
    const ordered = await submit(`${sale.shop}/orders`, form);
    const page = await (await fetch(new URL(locationOf(ordered), sale.shop))).text();
    expect(page).toContain('<h1>We have received your application</h1>');
    expect(page).not.toContain('/badges/');
  });

  test('explains a rejected order and a wrong email, and places no order', async () => {
    const sale = await startShop({ capacity: 1, priceAmount: 0 });
    const order = (email: string) =>
      submit(`${sale.shop}/orders`, { typeId: sale.typeId, email, attempt: crypto.randomUUID() });
    expect((await order('ada@example.com')).status).toBe(303);
    const [late, wrong] = await Promise.all([order('bob@example.com'), order('bob')]);
    expect([late.status, wrong.status]).toEqual([422, 422]);
    expect(await late.text()).toContain('These tickets are sold out.');
    expect(await wrong.text()).toContain('This is not an email address.');
    expect((await ordersOf(sale)).map(({ email }) => email)).toEqual(['ada@example.com']);
    expect((await fetch(`${sale.shop}/thanks?order=nothing`)).status).toBe(404);
  });
});

test('the scanner admits a badge once and says why it rejects another', async () => {
  const { unitId, client, path, typeId } = await createSale({ capacity: 1, allowWaitlist: true });
  const register = async (email: string, name: string) => {
    const body = { email, name, registrationTypeId: typeId };
    return (await createRegistration({ client, path, body })).registration.checkinCode;
  };
  const ada = await register('ada@example.com', 'Ada');
  const bob = await register('bob@example.com', 'Bob');
  const key = { businessUnitId: unitId, name: 'Door', groups: ['doors' as const] };
  const { secret } = await platform.operator.call(createKey, key);
  const env = { EVENT_API_KEY: secret, EVENT_ID: path.eventId };
  const { child, output, ended } = start('scanner.ts', env);
  child.stdin?.end(`${ada}\n\n${ada}\r\n${bob}\nCHK-0000000000000000\n`);
  expect(await ended).toBe(0);
  expect(output().trim().split('\n')).toEqual([
    'scan a badge',
    'OK     welcome, Ada',
    'AGAIN  Ada is already in',
    'NO     the registration is waitlisted',
    'NO     not a badge of this event',
  ]);
});

describe('the CRM', () => {
  /** The registrations of the copy and those of the API, as comparable lines. */
  async function compare(database: string, client: Client, path: { eventId: string }) {
    const db = new DatabaseSync(database, { readOnly: true });
    const rows = db.prepare('select registration_id, status from person').all();
    db.close();
    const records = await collect(listAll(listRegistrations, { client, path }));
    return {
      copy: rows.map((row) => `${row.registration_id} ${row.status}`).toSorted(),
      expected: records.map(({ id, status }) => `${id} ${status}`).toSorted(),
    };
  }

  test('is complete after it was killed while registrations were created and cancelled', async () => {
    const { unitId, client, path, typeId } = await createSale({ capacity: 1000 });
    const register = async (n: number) => {
      const body = { email: `p${n}@example.com`, registrationTypeId: typeId };
      const { registration } = await createRegistration({ client, path, body });
      const own = { ...path, id: registration.id };
      if (n % 3 === 0) await cancelRegistration({ client, path: own });
    };
    await Promise.all([1, 2, 3].map(register));
    const key = { businessUnitId: unitId, name: 'CRM', groups: ['read' as const] };
    const { secret } = await platform.operator.call(createKey, key);
    const database = join(mkdtempSync(join(inject('runFolder'), 'crm-')), 'crm.sqlite');
    const env = { EVENT_API_KEY: secret, DATABASE: database };

    const first = start('crm-sync.ts', env);
    await eventually(() => expect(first.output()).toContain('copied'));
    for (let n = 4; n < 25; n++) {
      await register(n);
      if (n === 15) first.child.kill('SIGKILL');
    }
    await first.ended;
    await eventually(async () => {
      const rest = start('crm-sync.ts', env, ['--once']);
      expect(await rest.ended, rest.output()).toBe(0);
      expect(rest.output()).not.toContain('copied');
      const { copy, expected } = await compare(database, client, path);
      expect(copy).toHaveLength(24);
      expect(copy).toEqual(expected);
    });
  });

  test('copies everything again when its digest is not that of the feed', async () => {
    const { client, path, typeId, secret } = await createSale({});
    const database = join(mkdtempSync(join(inject('runFolder'), 'crm-')), 'crm.sqlite');
    const run = async () => {
      const env = { EVENT_API_KEY: secret, DATABASE: database };
      const { ended, output } = start('crm-sync.ts', env, ['--once']);
      expect(await ended, output()).toBe(0);
      return output();
    };
    await run();
    const db = new DatabaseSync(database);
    db.prepare('update position set digest = ?').run('0'.repeat(64));
    db.close();
    const body = { email: 'ada@example.com', registrationTypeId: typeId };
    await createRegistration({ client, path, body });
    await eventually(async () => expect(await run()).toContain('copying again'));
    const { copy, expected } = await compare(database, client, path);
    expect(copy).toEqual(expected);
  });
});

test('the group order sells seats that are open, and gives each of them to a person', async () => {
  const { secret, client, path, typeId } = await createSale({ priceAmount: 2500 });
  const people = ['ada', 'bob', 'cleo', 'dan', 'eve'].map((name) => `${name}@example.com`);
  const registered = { email: 'bob@example.com', registrationTypeId: typeId };
  await createRegistration({ client, path, body: registered });
  const env = { EVENT_API_KEY: secret, EVENT_ID: path.eventId, TICKET_TYPE_ID: typeId };
  const { output, ended } = start('group-order.ts', env, ['lead@example.com', ...people]);
  const page = await eventually(() => {
    const [, url] = /^pay for ORD-\w+ at (\S+)$/m.exec(output()) ?? [];
    if (!url) throw new Error(output());
    return url;
  });
  await pay(page);
  expect([await ended, output()]).toEqual([0, expect.any(String)]);
  expect(output().trim().split('\n').slice(1)).toEqual(
    people.map((email) =>
      email === registered.email
        ? `${email} was registered before: a seat stays open`
        : `${email} has a seat`,
    ),
  );
  const [order] = await collect(listAll(listOrders, { client, path }));
  expect(order?.seats.map(({ status }) => status)).toEqual([
    ...['assigned', 'open', 'assigned', 'assigned', 'assigned'],
  ]);
});

test('the waitlist gives a place that becomes free to the first person who waits', async () => {
  const { secret, path, typeId } = await createSale({ capacity: 1, allowWaitlist: true });
  const env = { EVENT_API_KEY: secret, EVENT_ID: path.eventId, TICKET_TYPE_ID: typeId };
  const site = await startPages('waitlist.ts', env);
  const textOf = async (url: string) => (await fetch(url)).text();
  const join = async (name: string) =>
    locationOf(await submit(`${site}/join`, { name, email: `${name}@example.com` }));
  expect(await textOf(site)).toContain('1 places are left.');
  const ada = await join('ada');
  const bob = await join('bob');
  await eventually(async () => expect(await textOf(site)).toContain('1 people are waiting.'));
  expect(await textOf(site + ada)).toContain('You have a place.');
  expect(await textOf(site + bob)).toContain('You are on the waitlist.');
  expect(await join('ada')).toBe('');
  expect((await submit(`${site}/join`, { name: 'x', email: 'x' })).status).toBe(422);
  await submit(`${site}${ada}/cancel`, {});
  await eventually(async () => expect(await textOf(site + bob)).toContain('You have a place.'));
  expect(await textOf(site + ada)).toContain('You have given up your place.');
});
