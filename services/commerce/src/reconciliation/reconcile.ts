import { type Balance, readBalances, readUnmatched } from './queries.ts';
import { type RepeatDeps, repeatSteps } from './repeat.ts';

/** Repeats all that was left half-way, now, and reports where the money is. */
export async function reconcile(deps: RepeatDeps) {
  const { repeated, failed } = await repeatSteps(deps, 0);
  const [balances, unmatched] = [await readBalances(deps.db), await readUnmatched(deps.db)];
  const perCurrency = (pick: (balance: Balance) => number) =>
    Object.fromEntries(balances.map((balance) => [balance.currency, pick(balance)]));
  return {
    repeated,
    failed,
    unmatched: unmatched.map((money) => ({ ...money, why: 'no order is known for it' })),
    received: perCurrency(({ received }) => received),
    kept: perCurrency(({ kept }) => kept),
    refundsDue: perCurrency(({ due }) => due),
    refunded: perCurrency(({ refunded }) => refunded),
    unbalanced: balances
      .filter(({ received, kept, due, refunded }) => received !== kept + due + refunded)
      .map(({ currency }) => currency),
  };
}
