import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import { compareRestored } from '@event-api/contracts/operator/restore';
import { eventually } from '@event-api/platform/testing/eventually';
import type { DrillContext } from './fault.ts';
import { recoveryOperator } from './recovery-operator.ts';

/**
 * Compares orders with registrations after a restore, repairs what can be repaired, and requires
 * that only what a person decides is left. The runbook, "One service's database is restored from a
 * backup", step 5. Returns how many orders contradicted their registrations.
 */
export async function repairContradictions(context: DrillContext): Promise<number> {
  const { history } = context;
  const operator = recoveryOperator(context);
  const found = await differences(context, false);
  await differences(context, true);
  await operator.call(reconcileCommerce, {});
  await eventually(async () => {
    const left = (await differences(context, false)).filter(({ repair }) => repair !== null);
    if (left.length > 0) throw new Error(`not repaired: ${JSON.stringify(left.slice(0, 3))}`);
  });
  // A repaired order has other registrations, or is owed the rest of its payment.
  const repaired = new Set(found.map(({ orderId }) => orderId));
  for (const each of history.acknowledgements) {
    const isOfLost =
      each.kind === 'order' && each.registrationIds.some((id) => history.lost.has(id));
    if (isOfLost || (each.kind === 'order' && repaired.has(each.id))) history.undone.add(each);
  }
  return found.length;
}

/** All pages. With `repair`, each page is repaired. */
async function differences(context: DrillContext, repair: boolean) {
  const operator = recoveryOperator(context);
  const found = [];
  for (let cursor: string | undefined; ; ) {
    const input = { repair, ...(cursor !== undefined && { cursor }) };
    const page = await eventually(() => operator.call(compareRestored, input));
    found.push(...page.differences);
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
}
