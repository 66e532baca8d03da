import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/http/idempotency/idempotency-key.entity';
import { OutboxMessage } from '@event-api/platform/messaging/outbox/outbox.entity';
import {
  DeadLetter,
  ProjectionCheckpoint,
} from '@event-api/platform/messaging/projections/projection.entity';
import { Attendee } from './attendees/attendee.entity.ts';
import { PerkGrant } from './perks/perk-grant.entity.ts';
import {
  AddonProjection,
  EventProjection,
  PerkProjection,
  TicketTypeProjection,
} from './projections/projections.entity.ts';
import { RedemptionCode, RedemptionCodePerk } from './redemption-codes/redemption-code.entity.ts';
import { Registration, RegistrationAddon } from './registrations/registration.entity.ts';
import {
  Admission,
  SeatLedger,
  SeatReservation,
  SeatReservationItem,
} from './seats/seat.entity.ts';

/** Registration's tables and where its migrations lie. */
export const registrationOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'registration',
    entities: [
      Registration,
      RegistrationAddon,
      Attendee,
      Admission,
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
      ProjectionCheckpoint,
      DeadLetter,
      IdempotencyKey,
    ],
    migrations: new URL('./migrations', import.meta.url),
  });
