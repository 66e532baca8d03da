import type { RedemptionCode } from '@event-api/contracts/http/redemption-codes';
import type { Registration } from '@event-api/contracts/http/registrations';
import { grantPerk } from '@event-api/contracts/operator/registration-perks';
import type { z } from 'zod';
import type { OperatorClient } from '../admin/operator-client.ts';
import type { ApiClient } from './api-client.ts';
import { demoBatch, demoCodes, demoGrant, disabledCode } from './conference.ts';
import { type DemoPerson, demoPeople } from './people.ts';

/** Ids of created records, by name. */
export type Ids = Map<string, string>;

type Code = z.output<typeof RedemptionCode>;
type ExistingRegistration = z.output<typeof Registration>;

const atOnce = 8;

/** Creates the demo codes, disables one of them, and creates a batch without uses. */
export async function ensureCodes(api: ApiClient, event: string, types: Ids): Promise<Ids> {
  const path = `${event}/redemption-codes`;
  const { redemptionCodes: existing } = await api.request<{ redemptionCodes: Code[] }>('GET', path);
  const create = async (body: object, ticketType: string): Promise<Code[]> => {
    const wanted = { ...body, registrationTypeId: types.get(ticketType) };
    return (await api.request<{ redemptionCodes: Code[] }>('POST', path, wanted)).redemptionCodes;
  };
  const ids: Ids = new Map();
  for (const { ticketType, ...body } of demoCodes) {
    const found = existing.find(({ code }) => code === body.code);
    const [code] = found ? [found] : await create(body, ticketType);
    if (!code) throw new Error(`the code ${body.code} was not created`);
    if (body.code === disabledCode) await api.request('POST', `${path}/${code.id}/disable`);
    ids.set(body.code, code.id);
  }
  const { ticketType, ...batch } = demoBatch;
  if (!existing.some(({ label }) => label === batch.label)) await create(batch, ticketType);
  return ids;
}

/** Creates all registrations in their final state. Returns the id of the first one of each ticket type. */
export async function ensureRegistrations(api: ApiClient, event: string, types: Ids): Promise<Ids> {
  const path = `${event}/registrations`;
  const { registrations } = await api.request<{ registrations: ExistingRegistration[] }>(
    'GET',
    path,
  );
  const existing = new Map(registrations.map((registration) => [registration.email, registration]));
  const people = demoPeople();
  const ids = await mapAtOnce(people, async (person) => {
    const { ticketType, fate: _, ...body } = person;
    const wanted = { ...body, registrationTypeId: types.get(ticketType) };
    const registration =
      existing.get(person.email) ??
      (await api.request<{ registration: ExistingRegistration }>('POST', path, wanted))
        .registration;
    const action = nextAction(person, registration);
    if (action) await api.request('POST', `${path}/${registration.id}/${action.verb}`, action.body);
    return registration.id;
  });
  // The last entry of a key wins in a Map, so the reversed list leaves the first registration of each type.
  return new Map(people.map(({ ticketType }, n) => [ticketType, ids[n] ?? ''] as const).reverse());
}

/** The action that brings a registration to its final state; null if it is there. */
function nextAction(
  { fate }: DemoPerson,
  { status }: ExistingRegistration,
): { verb: string; body?: object } | null {
  if (fate === 'cancel') return status === 'confirmed' ? { verb: 'cancel' } : null;
  if (fate === null || status !== 'pending') return null;
  if (fate === 'approve') return { verb: 'approve' };
  return { verb: 'reject', body: { reason: 'There were more applications than passes.' } };
}

/** Grants the demo perk to one registration. */
export async function ensureGrant(
  operator: OperatorClient,
  scope: { businessUnitId: string; eventId: string },
  perks: Ids,
  registrations: Ids,
): Promise<void> {
  await operator.call(grantPerk, {
    ...scope,
    perkId: perks.get(demoGrant.perk) ?? '',
    registrationId: registrations.get(demoGrant.ticketType) ?? '',
  });
}

/** Processes several items concurrently, because most of the time is spent waiting. */
async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const remaining = items.entries();
  const worker = async () => {
    for (const [n, item] of remaining) results[n] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
