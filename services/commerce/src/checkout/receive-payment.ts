import { runAsJob } from '@event-api/platform/core/actor';
import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import { captureWrites } from '@event-api/platform/messaging/read-after/scope';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type {
  PaymentNotification,
  ReportedDispute,
  ReportedRefund,
} from '../payments/providers/provider.ts';
import { applyProviderRefund, recordProviderRefund } from '../refunds/apply-provider-refund.ts';
import type { ProviderRefundRow } from '../refunds/provider-refunds.queries.ts';
import { recordDispute } from '../refunds/record-dispute.ts';
import { recordSettlement } from '../settlements/record.ts';
import type { SettlementRow } from '../settlements/settlements.queries.ts';
import { type ApplyDeps, applySettlement } from './apply-settlement.ts';

export interface PaymentReceiver {
  /**
   * Records a captured payment of an account once, and starts to apply it. `account` is what
   * payments on it store as their provider, here and below. Errors: those of the database.
   */
  receive(notification: PaymentNotification, account: string): Promise<void>;
  /** Records a refund once, and starts to apply it. Errors: those of the database. */
  receiveRefund(refund: ReportedRefund, account: string): Promise<void>;
  /** Records a dispute on the order of its payment. Errors: those of the database. */
  receiveDispute(dispute: ReportedDispute, account: string): Promise<void>;
  /** Resolves when no payment and no refund is being applied any more. */
  stop(): Promise<void>;
}

/**
 * The way of a payment or a refund to its order: it is recorded before the notification is
 * acknowledged, and applied right after it in this process, so that the provider does not wait for
 * registration. What a crash or an outage leaves unfinished is repeated by `recovery/sweep.ts`.
 */
export function createPaymentReceiver(
  deps: ApplyDeps & { telemetry: Pick<Telemetry, 'trace'> },
): PaymentReceiver {
  const { db, log, telemetry } = deps;
  const running = new Set<Promise<void>>();

  // Outside a request there is no read-after scope. Orders store the captured token for readers.
  const apply = (settlement: SettlementRow): Promise<unknown> =>
    runAsJob('apply-payment', () =>
      captureWrites(() =>
        telemetry.trace('apply settlement', () => applySettlement(deps, settlement)),
      ),
    );

  const applyRefund = (refund: ProviderRefundRow): Promise<unknown> =>
    runAsJob('apply-refund', () =>
      captureWrites(() =>
        telemetry.trace('apply provider refund', () => applyProviderRefund(deps, refund)),
      ),
    );

  function start(applied: Promise<unknown>, about: object, what: string): void {
    const logged: Promise<void> = applied
      .catch((error: unknown) =>
        log.warn(
          { ...about, reason: safeMessageWithCauses(error) },
          `failed to apply ${what}, will retry`,
        ),
      )
      .then(() => void running.delete(logged));
    running.add(logged);
  }

  return {
    async receive(notification, account) {
      const settlement = await recordSettlement(db, account, notification);
      if (settlement === null) return;
      start(apply(settlement), { settlementId: settlement.id }, 'payment');
    },
    async receiveRefund(reported, account) {
      const refund = await recordProviderRefund(db, account, reported);
      if (refund === null) return;
      const { providerRefundId, orderId } = refund;
      start(applyRefund(refund), { providerRefundId, orderId }, 'refund');
    },
    async receiveDispute(reported, account) {
      await runAsJob('apply-dispute', () =>
        captureWrites(() => recordDispute(deps, account, reported)),
      );
    },
    async stop() {
      await Promise.all(running);
    },
  };
}
