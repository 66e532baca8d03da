import { pairDevice } from '@event-api/contracts/operator/devices';
import { createKey } from '@event-api/contracts/operator/keys';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { createUnit } from '@event-api/contracts/operator/units';
import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import { type ApiClient, createApiClient } from '@event-api/tools/seed/api-client';
import type { TestData } from './scenarios/lib/test-data.ts';
import type { Scenario } from './scenarios.ts';

interface Scope {
  businessUnitId: string;
  eventId: string;
}

const KEYS = 20;
const NO_LIMIT = 10_000_000;
/** Number of concurrent registrations while a run is prepared. */
const AT_ONCE = 20;

/**
 * Creates a business unit with keys, a published event, ticket types, and the badges and doors that
 * the scenario needs.
 * Errors: those of the API.
 */
export async function prepare(
  scenario: Scenario,
  options: { baseUrl: string; operator: OperatorClient; run: string; results: string },
): Promise<TestData> {
  const { baseUrl, operator, run, results } = options;
  const unit = await operator.call(createUnit, { name: `Load ${run}` });
  const newKey = (rateLimitPerMinute?: number) =>
    operator.call(createKey, { businessUnitId: unit.id, name: 'load', rateLimitPerMinute });
  const preparing = await newKey(NO_LIMIT);
  const api = createApiClient(baseUrl, preparing.secret);
  const event = await newEvent(api);
  const ticketTypeId = await newTicketType(api, event, { capacity: null });
  const scarceTypeId = await newTicketType(api, event, { capacity: scenario.seats });
  const paidTypeId = await newTicketType(api, event, { capacity: null, priceAmount: 4900 });
  const keys = scenario.hasOrdinaryKey
    ? [await newKey()]
    : await Promise.all(Array.from({ length: KEYS }, () => newKey(NO_LIMIT)));
  const scope = { businessUnitId: unit.id, eventId: event };
  const doors = await newDoors(operator, scope, scenario.doors);
  return {
    baseUrl,
    run,
    results,
    keys: keys.map(({ secret }) => secret),
    eventId: event,
    ticketTypeId,
    scarceTypeId,
    paidTypeId,
    seats: scenario.seats,
    buyers: scenario.buyers,
    badges: await newBadges(api, event, ticketTypeId, scenario.badges, run),
    doors,
    devices: await newDevices({ baseUrl, operator, scope }, doors, scenario.devices),
    rate: scenario.rate,
    seconds: scenario.seconds,
  };
}

async function newEvent(api: ApiClient): Promise<string> {
  const { id } = await api.request<{ id: string }>('POST', '/v1/events', {
    name: 'A day under load',
    timezone: 'Europe/Berlin',
    startsAt: '2030-05-01T09:00:00+02:00',
  });
  await api.request('PATCH', `/v1/events/${id}`, { status: 'published' });
  return id;
}

async function newTicketType(
  api: ApiClient,
  eventId: string,
  offer: { capacity: number | null; priceAmount?: number },
) {
  const path = `/v1/events/${eventId}/ticket-types`;
  const { id } = await api.request<{ id: string }>('POST', path, { name: 'Seat', ...offer });
  await api.request('PATCH', `${path}/${id}`, { status: 'open' });
  return id;
}

async function newBadges(
  api: ApiClient,
  eventId: string,
  registrationTypeId: string,
  count: number,
  run: string,
): Promise<string[]> {
  const badges: string[] = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - first) }, async (_, index) => {
      const email = `badge-${run}-${first + index}@example.com`;
      const path = `/v1/events/${eventId}/registrations`;
      const body = { email, registrationTypeId };
      const created = await api.request<{ registration: { checkinCode: string } }>(
        'POST',
        path,
        body,
      );
      return created.registration.checkinCode;
    });
    badges.push(...(await Promise.all(batch)));
  }
  return badges;
}

/** Returns the event itself as the first door and creates venues for the others. */
async function newDoors(
  operator: OperatorClient,
  { businessUnitId, eventId }: Scope,
  count: number,
): Promise<TestData['doors']> {
  const doors: TestData['doors'] = [{ subjectType: 'event', subjectId: eventId }];
  const venue = operatorOperations.find(({ config }) => config.operationId === 'venue.create');
  for (let number = 1; venue && number < count; number++) {
    const input = { businessUnitId, eventId, name: `Door ${number}` };
    const { id } = (await operator.callUnchecked(venue, input)) as { id: string };
    doors.push({ subjectType: 'venue', subjectId: id });
  }
  return doors;
}

/** Pairs scanners, each with one of the doors. */
async function newDevices(
  { baseUrl, operator, scope }: { baseUrl: string; operator: OperatorClient; scope: Scope },
  doors: TestData['doors'],
  count: number,
): Promise<TestData['devices']> {
  const devices: TestData['devices'] = [];
  for (let number = 0; number < count; number++) {
    const door = doors[number % doors.length];
    if (!door) throw new Error('there is no door');
    const name = `Scanner ${number + 1}`;
    const { code } = await operator.call(pairDevice, { ...scope, name, doors: [door] });
    const installation = { installationId: `load-scanner-${number + 1}` };
    const scanner = createApiClient(baseUrl, code ?? '');
    const { token } = await scanner.request<{ token: string }>(
      'POST',
      '/v1/device/pair',
      installation,
    );
    devices.push({ token, door });
  }
  return devices;
}
