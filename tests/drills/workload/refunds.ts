import { refundOrder } from '@event-api/contracts/operator/refunds';
import type { CreatedOrder } from '../environment/sales.ts';
import { acknowledgementsIn } from '../history/acknowledgements.ts';
import { attemptCommand } from './attempt.ts';
import type { Buyer } from './buyer.ts';
import { readPaid } from './orders.ts';

/** Refunds an order as an operator, partially or fully, sometimes several times at once. */
export async function refund(buyer: Buyer): Promise<void> {
  const paid = buyer.sale.orders.filter(
    ({ status, totalAmount, isForged }) =>
      !isForged && totalAmount > 0 && (status === 'paid' || status === 'refund_due'),
  );
  if (paid.length > 0) await refundOne(buyer, buyer.random.pick(paid));
}

/** Sent without Idempotency-Key, so it is not retried. */
export async function refundOne(
  { sale, random, history, operator }: Buyer,
  order: Pick<CreatedOrder, 'id' | 'totalAmount' | 'status'>,
): Promise<void> {
  const extent = random.pick<{ all: true } | { amount: number }>([
    { all: true },
    { amount: 1 },
    { amount: Math.ceil(order.totalAmount * 0.6) },
  ]);
  const scope = { businessUnitId: sale.unitId, eventId: sale.eventId };
  const input = { ...scope, orderId: order.id, ...extent, force: random.chance(0.5) };
  const once = () =>
    attemptCommand(history, 'refund', async () => {
      const response = await operator.call(refundOrder, input);
      history.acknowledge(...acknowledgementsIn(response));
      order.status = response.order.status;
    });
  await Promise.all(random.chance(0.4) ? [once(), once(), once()] : [once()]);
}

/**
 * Cancels the registration of a paid seat, which the policy of the event refunds, sometimes while
 * an operator refunds the order.
 */
export async function cancelSeat(buyer: Buyer): Promise<void> {
  const { random } = buyer;
  const paid = await readPaid(buyer, ({ totalAmount }) => totalAmount > 0);
  const ids: string[] = paid?.body.registrationIds ?? [];
  if (!paid || ids.length === 0) return;
  const cancelled = cancelRegistration(buyer, random.pick(ids));
  await Promise.all(random.chance(0.3) ? [cancelled, refundOne(buyer, paid.order)] : [cancelled]);
}

/** Cancels a registration of a paid order. */
export const cancelRegistration = ({ sale, client }: Buyer, id: string) =>
  client.request({
    ...{ owner: 'registration', method: 'POST', operation: 'cancel registration' },
    path: `${sale.path}/registrations/${id}/cancel`,
  });
