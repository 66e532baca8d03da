import { alreadyPaid } from '../errors.ts';
import { type FinishDeps, fulfilOrder, releaseOrder } from './finish.ts';
import { lockOrder, type OrderRow, readAgain, writeIntent } from './queries.ts';
import { decideCancel } from './rules.ts';

/**
 * Cancels an order and gives its places back. One that is closed stays as it is.
 *
 * Errors: 412 `ALREADY_PAID`; 503 when registration is away. Locks: the order.
 */
export async function cancelOrder(deps: FinishDeps, id: string): Promise<OrderRow> {
  const { order, decision } = await deps.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id, deps.faults.guardIsOff('order.lock'));
    const decision = decideCancel(order);
    await deps.faults.reach('order.judged');
    if (decision.outcome === 'release') await writeIntent(tx, id, 'cancel');
    return { order, decision };
  });
  await deps.faults.reach('cancel.intended');
  if (decision.outcome === 'paid') throw alreadyPaid();
  if (decision.outcome === 'finish_first') await fulfilOrder(deps, order);
  if (decision.outcome === 'release') await releaseOrder(deps, order);
  const now = await readAgain(deps.db, id);
  if (now.status === 'paid') throw alreadyPaid();
  return now;
}
