import { safeMessageWithCauses } from '@event-api/platform/core/error-reason';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { endUnpaidChange } from '../changes/end-unpaid.ts';
import { finishChange } from '../changes/execute.ts';
import {
  findUnfinishedChanges,
  findUnpaidChanges,
  recordChangeAttempt,
} from '../changes/order-changes.queries.ts';
import { type ApplyDeps, applyReceived, applySettlement } from '../checkout/apply-settlement.ts';
import { applyAssignment } from '../checkout/assign-seat.ts';
import { advanceCancel } from '../checkout/cancel.ts';
import { expireHold } from '../checkout/expire-hold.ts';
import { type Checks, findUndeliverableOrders } from '../checkout/find-undeliverable.ts';
import { fulfilOrder } from '../checkout/fulfil.ts';
import { findUnlinkedDisputes } from '../disputes/disputes.queries.ts';
import { forEachConcurrently } from '../orders/for-each-concurrently.ts';
import type { OrderRef } from '../orders/order-ref.ts';
import { findOrder, type OrderRow } from '../orders/orders.queries.ts';
import { isCancelling, isFulfilling, isRestoring, isRevokedAgain } from '../orders/orders.rules.ts';
import { findAssignments } from '../orders/seat-assignments.queries.ts';
import { recordOrderAttempt } from '../orders/write.ts';
import { findPaymentsToExpire } from '../payments/payments.queries.ts';
import type { PaymentDeps } from '../payments/session-input.ts';
import { applyProviderRefund } from '../refunds/apply-provider-refund.ts';
import { findUndecidedSeats } from '../refunds/cancelled-seats.queries.ts';
import { findProviderRefunds } from '../refunds/provider-refunds.queries.ts';
import { linkDisputes } from '../refunds/record-dispute.ts';
import { refundCancelledSeat } from '../refunds/refund-cancelled-seat.ts';
import { findRefundsToSend } from '../refunds/refund-delay.queries.ts';
import { findPendingRefunds } from '../refunds/refunds.queries.ts';
import { revokeRefundedOrder } from '../refunds/revoke.ts';
import { type RefundDeps, sendRefund } from '../refunds/send.ts';
import { sendDueRefund } from '../refunds/send-due.ts';
import { expirePayment } from '../settlements/expire-payment.ts';
import { findReceived, recordSettlementAttempt } from '../settlements/settlements.queries.ts';
import { findExpiredHolds, findUnfinished } from './recovery.queries.ts';
import { restoreSeats } from './restore-seats.ts';

export type SweepDeps = ApplyDeps &
  PaymentDeps &
  RefundDeps & {
    /** How long before the hold of an order expires its payment session is expired. */
    sessionExpiryLeadMs: number;
    telemetry: Telemetry;
  };

export interface SweepReport {
  retried: number;
  failed: ({ id: string; step: string; error: string } & OrderRef)[];
}

/** One step to repeat: of an order, a payment, a settlement or a refund. */
interface Step {
  id: string;
  order: OrderRef;
  run: () => Promise<void>;
}

/** The most rows of each kind in one turn. Every attempt moves its row to the end of the queue. */
const maxPerKind = 100;

const unknownOrder: OrderRef = { businessUnitId: null, eventId: null, orderId: null };

/**
 * The backstop of every order and payment: repeats the steps that a crash or an outage has left
 * unfinished for `minIdleMs`, and closes holds when they expire. `sweepKinds` lists the steps, of one
 * business unit, or of all with null. Any replica may
 * repeat any step at any time. `checks` are the results of earlier turns. Never throws:
 * the report contains the failed steps.
 */
export async function sweepUnfinished(
  deps: SweepDeps,
  minIdleMs: number,
  businessUnitId: string | null = null,
  checks: Checks = new Map(),
): Promise<SweepReport> {
  const report: SweepReport = { retried: 0, failed: [] };
  for (const { name, find } of sweepKinds(deps, minIdleMs, { businessUnitId, checks })) {
    const steps = await find().catch((error: unknown) => {
      const failure = { id: '', step: name, error: safeMessageWithCauses(error) };
      report.failed.push({ ...failure, ...unknownOrder });
      return [];
    });
    await forEachConcurrently(steps, async ({ id, order, run }) => {
      report.retried += 1;
      await deps.telemetry.trace(name, run).catch((error: unknown) => {
        report.failed.push({ id, step: name, error: safeMessageWithCauses(error), ...order });
      });
    });
  }
  return report;
}

interface SweepKind {
  name: string;
  find: () => Promise<Step[]>;
}

/** The kinds of steps in the order in which they are repeated. */
function sweepKinds(
  deps: SweepDeps,
  minIdleMs: number,
  { businessUnitId, checks }: { businessUnitId: string | null; checks: Checks },
): SweepKind[] {
  const { db, sessionExpiryLeadMs } = deps;
  const limit = maxPerKind;
  const kind = <Row>(
    name: string,
    find: () => Promise<Row[]>,
    toStep: (row: Row) => Step,
  ): SweepKind => ({ name, find: async () => (await find()).map(toStep) });
  const rowStep =
    <Row extends OrderRef & { id: string }>(run: (row: Row) => Promise<unknown>) =>
    (row: Row): Step => ({ id: row.id, order: refOf(row), run: async () => void (await run(row)) });
  const orderStep =
    (run: (order: OrderRow) => Promise<void>) =>
    (ref: OrderRef & { orderId: string }): Step => ({
      id: ref.orderId,
      order: ref,
      run: () => withOrder(deps, ref.orderId, run),
    });
  return [
    kind(
      'apply settlement',
      () => findReceived(db, minIdleMs, limit, businessUnitId),
      rowStep(async (settlement) => {
        await recordSettlementAttempt(db, settlement.id);
        await applySettlement(deps, settlement);
      }),
    ),
    kind(
      'advance order',
      () => findUnfinished(db, minIdleMs, limit, businessUnitId),
      orderStep((order) => advanceOrder(deps, order)),
    ),
    kind(
      'expire payment',
      () => findPaymentsToExpire(db, { minIdleMs, sessionExpiryLeadMs, limit, businessUnitId }),
      rowStep(async (payment) => {
        const outcome = await expirePayment(deps, payment);
        if (outcome === 'paid') await applyReceived(deps, payment.orderId);
      }),
    ),
    kind(
      'cancel undeliverable order',
      () => findUndeliverableOrders(deps, businessUnitId, checks),
      (ref) => ({
        id: ref.orderId,
        order: ref,
        run: async () => void (await advanceCancel(deps, ref.orderId)),
      }),
    ),
    kind(
      'expire hold',
      () => findExpiredHolds(db, 0, limit, businessUnitId),
      orderStep((order) => expireHold(deps, order)),
    ),
    kind(
      'end unpaid order change',
      () => findUnpaidChanges(db, minIdleMs, limit, businessUnitId, sessionExpiryLeadMs),
      rowStep(async (change) => {
        await recordChangeAttempt(db, change.id);
        await endUnpaidChange(deps, change);
      }),
    ),
    kind(
      'finish order change',
      () => findUnfinishedChanges(db, minIdleMs, limit, businessUnitId),
      rowStep(async (change) => {
        await recordChangeAttempt(db, change.id);
        await finishChange(deps, change);
      }),
    ),
    kind(
      'store seat assignment',
      () => findAssignments(db, minIdleMs, limit, businessUnitId),
      (assignment) => ({
        id: assignment.seatId,
        order: refOf(assignment),
        run: () => applyAssignment(db, assignment),
      }),
    ),
    kind(
      'refund cancelled seat',
      () => findUndecidedSeats(db, minIdleMs, limit, businessUnitId),
      (seat) => ({
        id: seat.registrationId,
        order: refOf(seat),
        run: () => refundCancelledSeat(deps, seat),
      }),
    ),
    kind(
      'apply provider refund',
      () => findProviderRefunds(db, minIdleMs, limit, businessUnitId),
      (refund) => ({
        id: refund.providerRefundId,
        order: refOf(refund),
        run: () => applyProviderRefund(deps, refund),
      }),
    ),
    kind(
      'link dispute',
      () => findUnlinkedDisputes(db, limit, businessUnitId),
      (dispute) => ({
        id: dispute.paymentId,
        order: refOf(dispute),
        run: async () => void (await linkDisputes(deps, dispute.provider, dispute.paymentId)),
      }),
    ),
    kind(
      'send due refund',
      () => findRefundsToSend(db, limit, businessUnitId),
      rowStep((refund) => sendDueRefund(deps, refund)),
    ),
    kind(
      'send refund',
      () => findPendingRefunds(db, minIdleMs, limit, businessUnitId),
      rowStep((refund) => sendRefund(deps, refund)),
    ),
  ];
}

const refOf = ({ businessUnitId, eventId, orderId }: OrderRef): OrderRef => ({
  businessUnitId,
  eventId,
  orderId,
});

async function advanceOrder(deps: SweepDeps, order: OrderRow): Promise<void> {
  if (order.status === 'refunded' || isRevokedAgain(order)) return revokeRefundedOrder(deps, order);
  if (isRestoring(order)) return restoreSeats(deps, order);
  if (isFulfilling(order)) await fulfilOrder(deps, order);
  else if (isCancelling(order)) await advanceCancel(deps, order.id);
}

async function withOrder(
  { db }: SweepDeps,
  id: string,
  run: (order: OrderRow) => Promise<void>,
): Promise<void> {
  await recordOrderAttempt(db, id);
  const order = await findOrder(db, id);
  if (order) await run(order);
}
