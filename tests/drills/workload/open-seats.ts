import { randomUUID } from 'node:crypto';
import type { ObservedResponse } from '../history/responses.ts';
import type { Buyer } from './buyer.ts';
import { readPaid } from './orders.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

/** An open seat of a paid order; null if there is none. */
export async function findOpenSeat(
  buyer: Buyer,
): Promise<{ orderId: string; seatId: string } | null> {
  const paid = await readPaid(buyer, ({ hasOpenSeats }) => hasOpenSeats);
  const open = paid?.body.seats.filter(({ status }: Body) => status === 'open') ?? [];
  if (!paid || open.length === 0) return null;
  return { orderId: paid.order.id, seatId: buyer.random.pick<Body>(open).id };
}

/** Registers this person on an open seat. */
export const assign = (
  { sale, client }: Buyer,
  { orderId, seatId }: { orderId: string; seatId: string },
  email: string,
): Promise<ObservedResponse | null> =>
  client.request({
    operation: 'assign seat',
    owner: 'commerce',
    method: 'POST',
    path: `${sale.path}/orders/${orderId}/seats/${seatId}/assign`,
    body: { email },
  });

/** One person, or sometimes two, who want the same seat. */
export const claimants = ({ random, email }: Buyer): string[] =>
  random.chance(0.4) ? [stranger(), stranger()] : [email()];

const stranger = () => `${randomUUID()}@example.com`;

/**
 * Registers a person on an open seat of a paid order, sometimes another one at the same time. At
 * most one of them gets the seat.
 */
export async function assignSeat(buyer: Buyer): Promise<void> {
  const found = await findOpenSeat(buyer);
  if (!found) return;
  const seen = await Promise.all(claimants(buyer).map((email) => assign(buyer, found, email)));
  const holders = seen.flatMap((each) =>
    each?.status === 200
      ? (each.body as Body).seats.find(({ id }: Body) => id === found.seatId).registrationId
      : [],
  );
  if (holders.length > 1) buyer.history.breaks('a seat is assigned once', { ...found, holders });
}
