import { reconcileCommerce } from '@event-api/contracts/operator/refunds';
import { compareRestored } from '@event-api/contracts/operator/restore';
import { auditInParts } from '@event-api/platform/audit/write';
import type { HttpServer } from '@event-api/platform/http/server';
import { compareWithRegistration } from './compare.ts';
import {
  type Balance,
  readBalances,
  readUnbalancedOrders,
  readUnmatched,
  type UnmatchedRow,
} from './recovery.queries.ts';
import { type SweepDeps, sweepUnfinished } from './sweep.ts';

export function reconciliationRoutes(app: HttpServer, deps: SweepDeps): void {
  app.route({
    ...reconcileCommerce,
    handler: async ({ body: { businessUnitId = null } }) =>
      auditInParts(deps.db, () => reconcile(deps, businessUnitId)),
  });
  app.route({
    ...compareRestored,
    handler: async ({ body: { businessUnitId = null, repair, cursor = '' } }) =>
      auditInParts(deps.db, () =>
        compareWithRegistration(deps, { businessUnitId, repair, after: cursor }),
      ),
  });
}

/**
 * Retries every unfinished step and reports the balance, of one business unit, or of all with null.
 */
async function reconcile(deps: SweepDeps, businessUnitId: string | null) {
  const { db } = deps;
  const { retried, failed } = await sweepUnfinished(deps, 0, businessUnitId);
  const balances = await readBalances(db, businessUnitId);
  const unmatched = await readUnmatched(db, businessUnitId);
  const unbalanced = balances.filter(isUnbalanced).map(({ currency }) => currency);
  // The statement reads every order, so run it only if the balance is wrong.
  const orders = unbalanced.length > 0 ? await readUnbalancedOrders(db, businessUnitId) : [];
  const perCurrency = (pick: (balance: Balance) => number) =>
    Object.fromEntries(balances.map((balance) => [balance.currency, pick(balance)]));
  return {
    repeated: retried,
    failed,
    unmatched: unmatched.map(({ reason, ...row }) => ({
      ...row,
      why: whyUnmatched({ ...row, reason }),
    })),
    received: perCurrency(({ received }) => received),
    kept: perCurrency(({ kept }) => kept),
    refundsDue: perCurrency(({ due }) => due),
    refunded: perCurrency(({ refunded }) => refunded),
    unbalanced,
    unbalancedOrders: orders.map(({ due, ...order }) => ({ ...order, refundsDue: due })),
  };
}

const isUnbalanced = ({ received, kept, due, refunded }: Balance): boolean =>
  received !== kept + due + refunded;

function whyUnmatched({ orderId, reason }: UnmatchedRow): string {
  if (reason === 'livemode_mismatch')
    return 'the livemode of the payment differs from PAYMENT_LIVEMODE';
  return orderId === null
    ? 'the payment belongs to no payment page of this platform'
    : 'the payment names another order than its payment page';
}
