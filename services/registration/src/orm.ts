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
import { Attendee } from './attendees/attendee.entity.ts';
import { PerkGrant } from './perks/perk-grant.entity.ts';
import { AddonProjection } from './projections/addon.projection.ts';
import { EventProjection } from './projections/event.projection.ts';
import { PerkProjection } from './projections/perk.projection.ts';
import { TicketTypeProjection } from './projections/ticket-type.projection.ts';
import { RedemptionCode, RedemptionCodePerk } from './redemption-codes/redemption-code.entity.ts';
import {
  Registration,
  RegistrationAddon,
  RegistrationOrder,
  ReplacedBadge,
} from './registrations/registration.entity.ts';
import { SeatReservation, SeatReservationItem } from './reservations/reservation.entity.ts';
import { EventLock, SeatLedger } from './seats/seat.entity.ts';

/** The tables of the service and the location of its migrations. */
export const registrationOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'registration',
    entities: [
      Registration,
      RegistrationAddon,
      RegistrationOrder,
      ReplacedBadge,
      Attendee,
      EventLock,
      SeatLedger,
      SeatReservation,
      SeatReservationItem,
      RedemptionCode,
      RedemptionCodePerk,
      PerkGrant,
      EventProjection,
      TicketTypeProjection,
      AddonProjection,
      PerkProjection,
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
