import { randomUUID } from 'node:crypto';
import type { CreatedRegistration } from '../environment/sales.ts';
import type { ObservedResponse } from '../history/responses.ts';
import type { Buyer } from './buyer.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

const config = { owner: 'registration', method: 'POST' } as const;

/** Registers a person. Emails repeat, so some are already registered. */
export async function register({ sale, client, random, email }: Buyer): Promise<void> {
  const type = random.pick(sale.types);
  const code = random.chance(0.2) ? sale.codes.find(({ typeId }) => typeId === type.id) : undefined;
  const seen = await client.request({
    ...config,
    operation: 'register',
    path: `${sale.path}/registrations`,
    body: { email: email(), registrationTypeId: type.id, redemptionCode: code?.code },
  });
  const created = (seen?.body as Body)?.registration;
  if (seen?.status === 201 && created) {
    const { id, checkinCode, status } = created;
    const existing = { id, checkinCode, status, email: created.email, typeId: type.id };
    sale.registrations.push({ ...existing, hasOffer: false });
  }
}

/** Approves, rejects, cancels or reads an existing registration. */
export async function move(
  { sale, client, random }: Buyer,
  verb: 'approve' | 'reject' | 'cancel',
): Promise<void> {
  const wanted = (registration: CreatedRegistration) =>
    verb === 'cancel' || registration.status === 'pending';
  const candidates = sale.registrations.filter(wanted);
  if (candidates.length === 0) return;
  const registration = random.pick(candidates);
  const seen = await client.request({
    ...config,
    operation: `${verb} registration`,
    path: `${sale.path}/registrations/${registration.id}/${verb}`,
  });
  learn(registration, seen);
}

export async function readRegistration({ sale, client, random }: Buyer): Promise<void> {
  if (sale.registrations.length === 0) return;
  const waiting = sale.registrations.filter(({ status }) => status === 'waitlisted');
  const registration = random.pick(
    waiting.length > 0 && random.chance(0.5) ? waiting : sale.registrations,
  );
  const seen = await client.request({
    ...config,
    method: 'GET',
    operation: 'read registration',
    path: `${sale.path}/registrations/${registration.id}`,
  });
  learn(registration, seen);
}

function learn(registration: CreatedRegistration, seen: ObservedResponse | null): void {
  if (seen && seen.status < 300) {
    const { status, offerExpiresAt } = seen.body as Body;
    Object.assign(registration, { status, hasOffer: offerExpiresAt !== null });
  }
  // Another client was faster. The next read returns the current status.
  else if (seen?.status === 412 && registration.status === 'pending')
    registration.status = 'unknown';
}

/** Creates a few codes. Their label is unique per request. */
export async function createCodes({ sale, client, random }: Buyer): Promise<void> {
  const type = random.pick(sale.types);
  const count = 1 + random.below(3);
  const seen = await client.request({
    ...config,
    operation: 'create codes',
    path: `${sale.path}/redemption-codes`,
    body: {
      registrationTypeId: type.id,
      count,
      label: `drill ${count} ${randomUUID()}`,
      maxUses: 1 + random.below(2),
      discount: type.priceAmount > 0 ? { type: 'percent', value: 30 } : null,
    },
  });
  if (seen?.status !== 201) return;
  for (const { code } of (seen.body as Body).redemptionCodes) {
    sale.codes.push({ code, typeId: type.id });
  }
}

/** Scans a badge at a door, every fifth badge twice. */
export async function scan({ sale, client, random }: Buyer): Promise<void> {
  const confirmed = sale.registrations.filter(({ status }) => status === 'confirmed');
  if (confirmed.length === 0) return;
  const { checkinCode } = random.pick(confirmed);
  const body = { checkinCode, ...random.pick(sale.doors) };
  const once = () =>
    client.request({
      operation: 'scan',
      owner: 'onsite',
      method: 'POST',
      path: `${sale.path}/checkins`,
      body,
    });
  await Promise.all(random.chance(0.2) ? [once(), once()] : [once()]);
}
