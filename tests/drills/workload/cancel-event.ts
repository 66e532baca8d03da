import { cancelEvent, previewEventCancel } from '@event-api/contracts/operator/event-cancellation';
import { attemptCommand } from './attempt.ts';
import type { Buyer } from './buyer.ts';

/**
 * Cancels the event of the sale that may end, as an operator after the preview. Clients go on to
 * order, pay and register.
 */
export async function endSale({ sale, random, operator, history }: Buyer): Promise<void> {
  if (!sale.mayEnd) return;
  const scope = { businessUnitId: sale.unitId, eventId: sale.eventId };
  const refund = random.pick(['full', 'full', 'policy', 'none'] as const);
  await attemptCommand(history, 'cancel event', async () => {
    const { expectedVersion } = await operator.call(previewEventCancel, { ...scope, refund });
    await operator.call(cancelEvent, { ...scope, refund, expectedVersion });
  });
}
