import { AuditEntry } from '@event-api/platform/audit/audit-entry.entity';
import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/http/idempotency/idempotency-key.entity';
import {
  ChangeCounter,
  ChangeInbox,
  ChangeLog,
} from '@event-api/platform/messaging/changes/change-log.entity';
import {
  DeadLetter,
  ProjectionCheckpoint,
} from '@event-api/platform/messaging/projections/projection.entity';
import { EventCancellation } from './cancellations/event-cancellation.entity.ts';
import { OrderChange } from './changes/order-change.entity.ts';
import { ClaimLink } from './claims/claim-link.entity.ts';
import { Dispute } from './disputes/dispute.entity.ts';
import { JournalDay } from './ledger/journal-day.entity.ts';
import { JournalDigest } from './ledger/journal-digest.entity.ts';
import { JournalEntry } from './ledger/journal-entry.entity.ts';
import { CancelledSeat } from './orders/cancelled-seat.entity.ts';
import { CustomerOrder, OrderLine } from './orders/order.entity.ts';
import { SeatAssignment } from './orders/seat-assignment.entity.ts';
import { ForeignNotification } from './payments/accounts/foreign-notification.entity.ts';
import { PaymentAccount } from './payments/accounts/payment-account.entity.ts';
import { PaymentFee } from './payments/fees/payment-fee.entity.ts';
import { Payment } from './payments/payment.entity.ts';
import { PaymentDecline } from './payments/payment-decline.entity.ts';
import { AddonProjectionTable } from './projections/addon.projection.ts';
import { BundleProjectionTable } from './projections/bundle.projection.ts';
import { EventProjectionTable } from './projections/event.projection.ts';
import { RegistrationProjectionTable } from './projections/registration.projection.ts';
import { TicketTypeProjectionTable } from './projections/ticket-type.projection.ts';
import { Reconciliation } from './reconciliation/reconciliation.entity.ts';
import { ProviderRefund } from './refunds/provider-refund.entity.ts';
import { Refund } from './refunds/refund.entity.ts';
import { RefundDelay } from './refunds/refund-delay.entity.ts';
import { Settlement } from './settlements/settlement.entity.ts';

/** Tables and migrations of commerce. */
export const commerceOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'commerce',
    entities: [
      CustomerOrder,
      OrderLine,
      Payment,
      PaymentDecline,
      PaymentAccount,
      ForeignNotification,
      PaymentFee,
      Settlement,
      Refund,
      ProviderRefund,
      RefundDelay,
      Dispute,
      CancelledSeat,
      OrderChange,
      EventCancellation,
      JournalEntry,
      JournalDay,
      JournalDigest,
      Reconciliation,
      SeatAssignment,
      ClaimLink,
      EventProjectionTable,
      TicketTypeProjectionTable,
      AddonProjectionTable,
      BundleProjectionTable,
      RegistrationProjectionTable,
      ProjectionCheckpoint,
      DeadLetter,
      IdempotencyKey,
      AuditEntry,
      ChangeInbox,
      ChangeLog,
      ChangeCounter,
    ],
    migrations: new URL('./migrations', import.meta.url),
  });
