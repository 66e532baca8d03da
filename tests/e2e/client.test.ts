import {
  changes,
  createAddon,
  createCheckin,
  createClient,
  createEvent,
  createRegistration,
  createTicketType,
  EventApiConnectionError,
  EventApiError,
  getChangesHead,
  listAddons,
  listAll,
  updateTicketType,
} from '@event-api/client';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from './faulty-proxy.ts';
import { type PlatformFixture, sharedPlatform } from './fixtures/platform.ts';

let platform: PlatformFixture;
let apiKey: string;
beforeAll(async () => {
  platform = await sharedPlatform();
  ({ secret: apiKey } = await platform.newUnit({ rateLimitPerMinute: 1_000_000 }));
});

const createConference = async (baseUrl = platform.baseUrl) => {
  const client = createClient({ baseUrl, apiKey });
  const event = await createEvent({ client, body: { name: 'Summit', timezone: 'Europe/Berlin' } });
  return { client, path: { eventId: event.id } };
};

test('an integrator sells a ticket, scans its badge, and sees both in the feed', async () => {
  const { client, path } = await createConference();
  const from = await getChangesHead({ client });
  const type = await createTicketType({ client, path, body: { name: 'Standard', capacity: 1 } });
  const typePath = { ...path, typeId: type.id };
  await updateTicketType({ client, path: typePath, body: { status: 'open' } });
  const register = (email: string) =>
    createRegistration({ client, path, body: { email, registrationTypeId: type.id } });
  const { registration } = await register('ada@example.com');
  const body = { checkinCode: registration.checkinCode, subjectType: 'event' as const };
  const { checkin } = await eventually(() => createCheckin({ client, path, body }));

  await expect(register('bob@example.com')).rejects.toMatchObject({
    name: 'EventApiError',
    httpStatus: 412,
    reason: 'SOLD_OUT',
    requestId: expect.stringMatching(/^req_/),
  });

  const seen: string[] = [];
  let position = from as { cursor: string; digest: string | null };
  await eventually(async () => {
    for await (const page of changes({ client, from: position, untilEnd: true })) {
      position = page.position;
      seen.push(...page.changes.map(({ type: name, object }) => `${name} ${object.id}`));
    }
    expect(seen).toContain(`checkin.created ${checkin.id}`);
  });
  expect(position.digest).not.toBeNull();
});

test('the fields of a 400 are named', async () => {
  const { client, path } = await createConference();
  const body = { name: 'Standard', capacity: -1 };
  const failure = await createTicketType({ client, path, body }).catch((error) => error);
  expect(failure).toBeInstanceOf(EventApiError);
  expect(failure).toMatchObject({ httpStatus: 400, field: 'capacity' });
});

const operations = process.env.TEST_SIZE === 'full' ? 1000 : 150;

interface FaultyCalls {
  count: number;
  attemptTimeoutMs: number;
  fetch?: typeof fetch;
}

/**
 * Creates add-ons with names of their own through the proxy. Returns how often each one exists, and
 * which calls succeeded.
 */
async function createUnderFaults({ count, ...options }: FaultyCalls) {
  const proxy = await startFaultyProxy(platform.baseUrl, 0.4);
  onTestFinished(proxy.close);
  const { client: direct, path } = await createConference();
  const disturbed = createClient({
    baseUrl: proxy.url,
    apiKey,
    maxRetries: 8,
    ...options,
  });
  const succeeded = new Set<string>();
  const names = Array.from({ length: count }, (_, n) => `Add-on ${n}`);
  const create = async (name: string) => {
    try {
      await createAddon({ client: disturbed, path, body: { name, priceAmount: 100 } });
      succeeded.add(name);
    } catch (error) {
      // A call may fail after its last retry, but never in another way.
      if (error instanceof EventApiConnectionError) return;
      expect(error).toBeInstanceOf(EventApiError);
      expect([409, 429, 503]).toContain((error as EventApiError).httpStatus);
    }
  };
  const worker = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await create(name);
  };
  await Promise.all(Array.from({ length: 12 }, worker));
  const existing = new Map<string, number>();
  for await (const { name } of listAll(listAddons, { client: direct, path })) {
    existing.set(name, (existing.get(name) ?? 0) + 1);
  }
  return { existing, succeeded, counts: proxy.counts };
}

test(`${operations} creations under lost requests and responses: none takes effect twice, and none that succeeded is lost`, async () => {
  const { existing, succeeded, counts } = await createUnderFaults({
    count: operations,
    // A response that never arrives costs this time. On a busy machine, a creation takes more than
    // a second.
    attemptTimeoutMs: 3000,
  });
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  expect([...existing].filter(([, count]) => count > 1)).toEqual([]);
  expect([...succeeded].filter((name) => !existing.has(name))).toEqual([]);
  expect(succeeded.size).toBeGreaterThan(operations / 2);
});

test('without an Idempotency-Key the same retries do take effect twice', async () => {
  const fetchWithoutKey: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('Idempotency-Key');
    return fetch(input, { ...init, headers });
  };
  const { existing } = await createUnderFaults({
    count: 60,
    attemptTimeoutMs: 500,
    fetch: fetchWithoutKey,
  });
  expect([...existing.values()].some((count) => count > 1)).toBe(true);
});
