import { randomUUID } from 'node:crypto';
import type { Seen } from '../answers.ts';
import type { KnownRegistration } from '../shops.ts';
import type { Buyer } from './buyer.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into, whatever their shape.
type Body = any;

const config = { owner: 'registration', method: 'POST' } as const;

/** Registers somebody of a crowd in which people meet themselves. */
export async function register({ shop, client, choices, email }: Buyer): Promise<void> {
  const type = choices.pick(shop.types);
  const code = choices.chance(0.2)
    ? shop.codes.find(({ typeId }) => typeId === type.id)
    : undefined;
  const seen = await client.ask({
    ...config,
    operation: 'register',
    path: `${shop.path}/registrations`,
    body: { email: email(), registrationTypeId: type.id, redemptionCode: code?.code },
  });
  const made = (seen?.body as Body)?.registration;
  if (seen?.status === 201 && made) {
    const { id, checkinCode, status } = made;
    shop.registrations.push({ id, checkinCode, status });
  }
}

/** Approves, rejects or cancels one that is known, or reads it. */
export async function move(
  { shop, client, choices }: Buyer,
  verb: 'approve' | 'reject' | 'cancel',
): Promise<void> {
  const wanted = (known: KnownRegistration) => verb === 'cancel' || known.status === 'pending';
  const candidates = shop.registrations.filter(wanted);
  if (candidates.length === 0) return;
  const known = choices.pick(candidates);
  const seen = await client.ask({
    ...config,
    operation: `${verb} registration`,
    path: `${shop.path}/registrations/${known.id}/${verb}`,
  });
  learn(known, seen);
}

export async function readRegistration({ shop, client, choices }: Buyer): Promise<void> {
  if (shop.registrations.length === 0) return;
  const known = choices.pick(shop.registrations);
  const seen = await client.ask({
    ...config,
    method: 'GET',
    operation: 'read registration',
    path: `${shop.path}/registrations/${known.id}`,
  });
  learn(known, seen);
}

function learn(known: KnownRegistration, seen: Seen | null): void {
  if (seen && seen.status < 300) known.status = (seen.body as Body).status;
  // Somebody else was faster: what it is now, the next read says.
  else if (seen?.status === 412 && known.status === 'pending') known.status = 'unknown';
}

/** Makes a few codes; their label is the request's own. */
export async function createCodes({ shop, client, choices }: Buyer): Promise<void> {
  const type = choices.pick(shop.types);
  const count = 1 + choices.below(3);
  const seen = await client.ask({
    ...config,
    operation: 'create codes',
    path: `${shop.path}/redemption-codes`,
    body: {
      registrationTypeId: type.id,
      count,
      label: `drill ${count} ${randomUUID()}`,
      maxUses: 1 + choices.below(2),
      discount: type.priceAmount > 0 ? { type: 'percent', value: 30 } : null,
    },
  });
  if (seen?.status !== 201) return;
  for (const { code } of (seen.body as Body).redemptionCodes) {
    shop.codes.push({ code, typeId: type.id });
  }
}

/** Scans a badge at a door, every fifth one twice. */
export async function scan({ shop, client, choices }: Buyer): Promise<void> {
  const confirmed = shop.registrations.filter(({ status }) => status === 'confirmed');
  if (confirmed.length === 0) return;
  const { checkinCode } = choices.pick(confirmed);
  const body = { checkinCode, ...choices.pick(shop.doors) };
  const once = () =>
    client.ask({
      operation: 'scan',
      owner: 'onsite',
      method: 'POST',
      path: `${shop.path}/checkins`,
      body,
    });
  await Promise.all(choices.chance(0.2) ? [once(), once()] : [once()]);
}
