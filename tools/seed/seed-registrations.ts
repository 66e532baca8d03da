import {
  approveRegistration,
  type Client,
  type CreateRedemptionCodes,
  cancelRegistration,
  createRedemptionCodes,
  createRegistration,
  disableRedemptionCode,
  listAll,
  listRedemptionCodes,
  listRegistrations,
  type Registration,
  rejectRegistration,
} from '@event-api/client';
import { grantPerk } from '@event-api/contracts/operator/registration-perks';
import type { OperatorClient } from '../admin/operator-client.ts';
import { demoBatch, demoCodes, demoGrant, disabledCode } from './conference.ts';
import { type DemoPerson, demoPeople } from './people.ts';

/** Ids of created records, by name. */
export type Ids = Map<string, string>;

type EventPath = { eventId: string };

const atOnce = 8;

/** Creates the demo codes, disables one of them, and creates a batch without uses. */
export async function ensureCodes(client: Client, path: EventPath, types: Ids): Promise<Ids> {
  const { redemptionCodes: existing } = await listRedemptionCodes({ client, path });
  type NewCodes = Omit<CreateRedemptionCodes, 'registrationTypeId'>;
  const create = async (codes: NewCodes, ticketType: string) => {
    const body = { ...codes, registrationTypeId: types.get(ticketType) ?? '' };
    return (await createRedemptionCodes({ client, path, body })).redemptionCodes;
  };
  const ids: Ids = new Map();
  for (const { ticketType, ...body } of demoCodes) {
    const found = existing.find(({ code }) => code === body.code);
    const [code] = found ? [found] : await create(body, ticketType);
    if (!code) throw new Error(`the code ${body.code} was not created`);
    if (body.code === disabledCode) {
      await disableRedemptionCode({ client, path: { ...path, codeId: code.id } });
    }
    ids.set(body.code, code.id);
  }
  const { ticketType, ...batch } = demoBatch;
  if (!existing.some(({ label }) => label === batch.label)) await create(batch, ticketType);
  return ids;
}

/**
 * Creates all registrations in their final state. Returns the id of the first one of each ticket
 * type.
 */
export async function ensureRegistrations(
  client: Client,
  path: EventPath,
  types: Ids,
): Promise<Ids> {
  const existing = new Map<string, Registration>();
  for await (const registration of listAll(listRegistrations, { client, path })) {
    existing.set(registration.email, registration);
  }
  const people = demoPeople();
  const ids = await mapAtOnce(people, async (person) => {
    const { ticketType, fate: _, ...body } = person;
    const wanted = { ...body, registrationTypeId: types.get(ticketType) ?? '' };
    const registration =
      existing.get(person.email) ??
      (await createRegistration({ client, path, body: wanted })).registration;
    await complete(client, person, registration);
    return registration.id;
  });
  // The last entry of a key wins in a Map, so the reversed list leaves the first registration of
  // each type.
  return new Map(people.map(({ ticketType }, n) => [ticketType, ids[n] ?? ''] as const).reverse());
}

/** Brings a registration to its final state, if it is not there. */
async function complete(
  client: Client,
  { fate }: DemoPerson,
  { id, eventId, status }: Registration,
): Promise<void> {
  const path = { eventId, id };
  if (fate === 'cancel' && status === 'confirmed') await cancelRegistration({ client, path });
  if (status !== 'pending') return;
  if (fate === 'approve') await approveRegistration({ client, path });
  if (fate === 'reject') {
    const reason = 'There were more applications than passes.';
    await rejectRegistration({ client, path, body: { reason } });
  }
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
