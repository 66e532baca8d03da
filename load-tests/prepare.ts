import { createKey } from '@event-api/contracts/operator/keys';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { createUnit } from '@event-api/contracts/operator/units';
import type { OperatorClient } from '@event-api/tools/admin/operator-client';
import { type ApiClient, createApiClient } from '@event-api/tools/seed/api-client';
import type { TestData } from './scenarios/lib/test-data.ts';
import type { Scenario } from './scenarios.ts';

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
    doors: await newDoors(operator, unit.id, event, scenario.doors),
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
  businessUnitId: string,
  eventId: string,
  count: number,
): Promise<TestData['doors']> {
  const doors = [{ subjectType: 'event', subjectId: eventId }];
  const venue = operatorOperations.find(({ config }) => config.operationId === 'venue.create');
  for (let number = 1; venue && number < count; number++) {
    const input = { businessUnitId, eventId, name: `Door ${number}` };
    const { id } = (await operator.callUnchecked(venue, input)) as { id: string };
    doors.push({ subjectType: 'venue', subjectId: id });
  }
  return doors;
}
