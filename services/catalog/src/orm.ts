import { AuditEntry } from '@event-api/platform/audit/audit-entry.entity';
import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/http/idempotency/idempotency-key.entity';
import {
  ChangeCounter,
  ChangeInbox,
  ChangeLog,
} from '@event-api/platform/messaging/changes/change-log.entity';
import { OutboxMessage } from '@event-api/platform/messaging/outbox/outbox.entity';
import { StreamState } from '@event-api/platform/messaging/outbox/stream-state.entity';
import {
  DeadLetter,
  ProjectionCheckpoint,
} from '@event-api/platform/messaging/projections/projection.entity';
import { Addon } from './addons/addon.entity.ts';
import { Bundle, BundleItem } from './bundles/bundle.entity.ts';
import { Event } from './events/event.entity.ts';
import { RegistrationForm } from './forms/registration-form.entity.ts';
import { Perk, PerkBinding } from './perks/perk.entity.ts';
import { RefundPolicy } from './refund-policies/refund-policy.entity.ts';
import { SeatCount } from './seat-counts/seat-count.projection.ts';
import { TaxRate } from './tax-rates/tax-rate.entity.ts';
import { TicketType } from './ticket-types/ticket-type.entity.ts';

/** Catalog's tables and where their migrations lie. */
export const catalogOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'catalog',
    entities: [
      Event,
      TicketType,
      Addon,
      Bundle,
      BundleItem,
      Perk,
      PerkBinding,
      RegistrationForm,
      RefundPolicy,
      TaxRate,
      SeatCount,
      OutboxMessage,
      StreamState,
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
