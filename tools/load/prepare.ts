import { pairDevice } from '@event-api/contracts/operator/devices';
import { createKey } from '@event-api/contracts/operator/keys';
import { createVenue } from '@event-api/contracts/operator/program';
import { createUnit } from '@event-api/contracts/operator/units';
import type { OperatorClient } from '../admin/operator-client.ts';
import { type ApiClient, createApiClient } from '../seed/api-client.ts';
import type { Scenario, ScenarioName } from './scenarios.ts';
import type { Door, LoadEvent, TestData } from './test-data.ts';
import { loadUnitName } from './unit-names.ts';

/** The platform under load, as the operator reaches it. */
export interface LoadedPlatform {
  /** Address of the gateway. */
  baseUrl: string;
  operator: OperatorClient;
}

interface Scope {
  businessUnitId: string;
  eventId: string;
}

const KEYS = 20;
const NO_LIMIT = 10_000_000;
/** Number of concurrent registrations while a run is prepared. */
const AT_ONCE = 20;
const PRICE = 4900;

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/**
 * Creates the business units with keys and published events, and the ticket types, badges, doors
 * and paired scanners that the scenario needs.
 * Errors: those of the API and of the operator client.
 */
export async function prepare(
  platform: LoadedPlatform,
  {
    name,
    scenario,
    run,
    isFree = false,
  }: { name: ScenarioName; scenario: Scenario; run: string; isFree?: boolean },
): Promise<TestData> {
  const events: LoadEvent[] = [];
  for (const number of times(scenario.units)) {
    const unitName = loadUnitName(run, number);
    const unitRun = `${run}-${number}`;
    events.push(...(await newUnit(platform, { unitName, scenario, run: unitRun, isFree })));
  }
  const { rate, seconds, seats, hesitation } = scenario;
  return {
    scenario: name,
    baseUrl: platform.baseUrl,
    run,
    rate,
    seconds,
    seats,
    hesitation,
    isFree,
    events,
  };
}

async function newUnit(
  { baseUrl, operator }: LoadedPlatform,
  { unitName, scenario, run, isFree }: UnitOptions,
): Promise<LoadEvent[]> {
  const { id: businessUnitId } = await operator.call(createUnit, { name: unitName });
  const newKey = async (rateLimitPerMinute?: number) =>
    (await operator.call(createKey, { businessUnitId, name: 'load', rateLimitPerMinute })).secret;
  const api = createApiClient(baseUrl, await newKey(NO_LIMIT));
  const keys = scenario.hasOrdinaryKey
    ? [await newKey()]
    : await Promise.all(times(KEYS).map(() => newKey(NO_LIMIT)));
  const events: LoadEvent[] = [];
  for (const number of times(scenario.events)) {
    const eventId = await newEvent(api);
    const scope = { businessUnitId, eventId };
    const price = isFree ? {} : { priceAmount: PRICE };
    const ticketTypeId = await newTicketType(api, eventId, { capacity: null });
    const doors = await newDoors(operator, scope, scenario.doors);
    events.push({
      ...scope,
      keys,
      ticketTypeId,
      scarceTypeId: await newTicketType(api, eventId, { capacity: scenario.seats, ...price }),
      paidTypeId: await newTicketType(api, eventId, { capacity: null, priceAmount: PRICE }),
      badges: await newBadges(api, eventId, ticketTypeId, scenario.badges, `${run}-${number}`),
      doors,
      devices: await newDevices({ baseUrl, operator, scope }, doors, scenario.devices),
    });
  }
  return events;
}

interface UnitOptions {
  unitName: string;
  scenario: Scenario;
  run: string;
  isFree: boolean;
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
): Promise<string> {
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
    const batch = times(Math.min(AT_ONCE, count - first)).map(async (index) => {
      const created = await api.request<{ registration: { checkinCode: string } }>(
        'POST',
        `/v1/events/${eventId}/registrations`,
        { email: `badge-${run}-${first + index}@example.com`, registrationTypeId },
      );
      return created.registration.checkinCode;
    });
    badges.push(...(await Promise.all(batch)));
  }
  return badges;
}

/** Returns the event itself as the first door and creates venues for the others. */
async function newDoors(operator: OperatorClient, scope: Scope, count: number): Promise<Door[]> {
  const doors: Door[] = [{ subjectType: 'event', subjectId: scope.eventId }];
  for (let number = 1; number < count; number++) {
    const { id } = await operator.call(createVenue, { ...scope, name: `Door ${number}` });
    doors.push({ subjectType: 'venue', subjectId: id });
  }
  return doors;
}

/** Pairs scanners, each with one of the doors. */
async function newDevices(
  { baseUrl, operator, scope }: LoadedPlatform & { scope: Scope },
  doors: readonly Door[],
  count: number,
): Promise<LoadEvent['devices']> {
  const devices: LoadEvent['devices'] = [];
  for (let number = 0; number < count; number++) {
    const door = doors[number % doors.length];
    if (!door) throw new Error('there is no door');
    const name = `Scanner ${number + 1}`;
    const { code } = await operator.call(pairDevice, { ...scope, name, doors: [door] });
    const scanner = createApiClient(baseUrl, code ?? '');
    const installationId = `load-scanner-${scope.eventId}-${number + 1}`;
    const { token } = await scanner.request<{ token: string }>('POST', '/v1/device/pair', {
      installationId,
    });
    devices.push({ token, door });
  }
  return devices;
}
