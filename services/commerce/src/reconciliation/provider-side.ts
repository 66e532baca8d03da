import { unavailable } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import { accountIdOf } from '../payments/accounts/accounts.rules.ts';
import type { PaymentProvider, ProviderMovement } from '../payments/providers/provider.ts';
import { isOtherBusiness } from './differences.rules.ts';
import { findKnownPayments } from './journal-side.queries.ts';

/** Limits a day: 200,000 movements, in minutes. */
const maxPages = 2000;
const paymentsPerStatement = 1000;

/**
 * Reads what an account has moved from `from` on, newest first, until `isEnough` says about a page
 * that older movements do not matter. Errors: 503, also for a day with too many movements.
 */
export async function readMovements(
  provider: Pick<PaymentProvider, 'listMovements'>,
  period: { from: Date; before: Date },
  isEnough: (page: readonly ProviderMovement[]) => boolean,
  signal?: AbortSignal,
): Promise<ProviderMovement[]> {
  const read: ProviderMovement[] = [];
  for (let [pages, after] = [0, null as string | null]; pages < maxPages; pages++) {
    signal?.throwIfAborted();
    const { movements, nextCursor } = await provider.listMovements({ ...period, after });
    read.push(...movements);
    if (nextCursor === null || isEnough(movements)) return read;
    after = nextCursor;
  }
  throw unavailable(new Error('the provider has more movements than a reconciliation reads'));
}

/**
 * Leaves out what is other business of a unit on its own account. All of the account of the platform
 * counts: nothing else uses it.
 */
export async function withoutOtherBusiness(
  db: Db,
  provider: string,
  movements: readonly ProviderMovement[],
): Promise<readonly ProviderMovement[]> {
  if (accountIdOf(provider) === null) return movements;
  const ids = [...new Set(movements.flatMap(({ paymentId }) => paymentId ?? []))];
  const known = new Set<string>();
  for (let start = 0; start < ids.length; start += paymentsPerStatement) {
    const page = ids.slice(start, start + paymentsPerStatement);
    for (const id of await findKnownPayments(db, provider, page)) known.add(id);
  }
  return movements.filter((movement) => !isOtherBusiness(movement, known));
}
