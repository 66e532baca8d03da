import { unavailable } from '@event-api/platform/core/errors';
import type { PaymentProvider, ProviderMovement } from '../payments/providers/provider.ts';

/** Limits a day: 200,000 movements, in minutes. */
const maxPages = 2000;

/**
 * Reads what an account has moved from `from` on, newest first, until `isEnough` says after a page
 * that older movements do not matter. Errors: 503, also for a day with too many movements.
 */
export async function readMovements(
  provider: Pick<PaymentProvider, 'listMovements'>,
  period: { from: Date; before: Date },
  take: (movement: ProviderMovement) => void,
  isEnough: (oldest: Date) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  let after: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    signal?.throwIfAborted();
    const page: Awaited<ReturnType<PaymentProvider['listMovements']>> =
      await provider.listMovements({ ...period, after });
    for (const movement of page.movements) take(movement);
    const oldest = page.movements.at(-1)?.movedAt;
    if (page.nextCursor === null || (oldest && isEnough(oldest))) return;
    after = page.nextCursor;
  }
  throw unavailable(new Error('the provider has more movements than a reconciliation reads'));
}
