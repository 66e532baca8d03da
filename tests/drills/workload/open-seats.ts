import { randomUUID } from 'node:crypto';
import type { Buyer } from './buyer.ts';
import { readPaid } from './orders.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are inspected without a schema.
type Body = any;

/**
 * Registers a person on an open seat of a paid order, sometimes another one at the same time. At
 * most one of them gets the seat.
 */
export async function assignSeat(buyer: Buyer): Promise<void> {
  const { sale, client, random, email, history } = buyer;
  const order = await readPaid(buyer, ({ hasOpenSeats }) => hasOpenSeats);
  const open = order?.seats.filter(({ status }: Body) => status === 'open') ?? [];
  if (!order || open.length === 0) return;
  const { id: seatId } = random.pick<Body>(open);
  const assign = (person: string) =>
    client.request({
      operation: 'assign seat',
      owner: 'commerce',
      method: 'POST',
      path: `${sale.path}/orders/${order.id}/seats/${seatId}/assign`,
      body: { email: person },
    });
  const stranger = () => `${randomUUID()}@example.com`;
  const seen = await Promise.all(
    random.chance(0.4) ? [assign(stranger()), assign(stranger())] : [assign(email())],
  );
  const holders = seen.flatMap((each) =>
    each?.status === 200
      ? (each.body as Body).seats.find(({ id }: Body) => id === seatId).registrationId
      : [],
  );
  if (holders.length > 1) history.breaks('a seat is assigned once', { seatId, holders });
}
