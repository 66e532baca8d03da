import { runAsJob } from '@event-api/platform/core/actor';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import { captureWrites } from '@event-api/platform/messaging/read-after/scope';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { PaymentNotification } from '../payments/providers/provider.ts';
import { recordSettlement } from '../settlements/record.ts';
import type { SettlementRow } from '../settlements/settlements.queries.ts';
import { type ApplyDeps, applySettlement } from './apply-settlement.ts';

export interface PaymentReceiver {
  /** Records a captured payment once, and starts to apply it. Errors: those of the database. */
  receive(notification: PaymentNotification): Promise<void>;
  /** Resolves when no payment is being applied any more. */
  stop(): Promise<void>;
}

/**
 * The way of a payment to its order: the settlement is recorded before the notification is
 * acknowledged, and applied right after it in this process, so that the provider does not wait for
 * registration. What a crash or an outage leaves unfinished is repeated by `recovery/sweep.ts`.
 */
export function createPaymentReceiver(
  deps: ApplyDeps & { provider: { name: string }; telemetry: Pick<Telemetry, 'trace'> },
): PaymentReceiver {
  const { db, log, provider, telemetry } = deps;
  const running = new Set<Promise<void>>();

  // Outside a request there is no read-after scope. Orders store the captured token for readers.
  const apply = (settlement: SettlementRow): Promise<unknown> =>
    runAsJob('apply-payment', () =>
      captureWrites(() =>
        telemetry.trace('apply settlement', () => applySettlement(deps, settlement)),
      ),
    );

  async function applyOrLog(settlement: SettlementRow): Promise<void> {
    try {
      await apply(settlement);
    } catch (error) {
      const about = { settlementId: settlement.id, reason: safeMessageWithCauses(error) };
      log.warn(about, 'failed to apply payment, will retry');
    }
  }

  return {
    async receive(notification) {
      const settlement = await recordSettlement(db, provider.name, notification);
      if (settlement === null) return;
      const applied = applyOrLog(settlement).finally(() => running.delete(applied));
      running.add(applied);
    },
    async stop() {
      await Promise.all(running);
    },
  };
}
