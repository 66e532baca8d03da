import { runAsJob } from '@event-api/platform/core/actor';
import type { Clock } from '@event-api/platform/core/clock';
import { every, type Loop } from '@event-api/platform/core/every';
import type { Logger } from '@event-api/platform/core/log';
import { reportRepeated } from '@event-api/platform/core/repeated-failures';
import { dayOf } from '../ledger/days.rules.ts';
import { timeouts } from '../timeouts.ts';
import { type ReconcileDeps, reconcileDay } from './reconcile-day.ts';
import { findDueDays } from './reconciliation.queries.ts';

/**
 * Reconciles the closed days of all accounts, oldest first, in every replica: two at once store the
 * same. An account that fails is left to the next turn, and does not delay the others.
 */
export function startReconciliation(deps: ReconcileDeps & { log: Logger; clock: Clock }): Loop {
  const onError = reportRepeated((error, suppressed) =>
    deps.log.warn({ err: error, suppressed }, 'failed to reconcile the provider, will retry'),
  );
  return every(
    (signal) => runAsJob('reconcile-provider', () => reconcileDueDays(deps, signal, onError)),
    { intervalMs: timeouts.journalIntervalMs, onError },
  );
}

/** Reconciles all due days of the last month. */
export async function reconcileDueDays(
  deps: ReconcileDeps & { clock: Clock },
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const { db, provider, clock } = deps;
  const from = dayOf(new Date(clock.now().getTime() - timeouts.reconcileDueMs));
  const failed = new Set<string>();
  while (!signal.aborted) {
    const days = await findDueDays(db, provider.name, from);
    const open = days.filter((each) => !failed.has(each.provider));
    if (open.length === 0) return;
    for (const each of open) {
      if (signal.aborted) return;
      try {
        await reconcileDay(deps, each, signal);
      } catch (error) {
        failed.add(each.provider);
        onError(error);
      }
    }
  }
}
