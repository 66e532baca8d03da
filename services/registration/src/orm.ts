import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/idempotency/idempotency-key.entity';
import { OutboxMessage } from '@event-api/platform/outbox/outbox.entity';
import {
  DeadLetter,
  ProjectionCheckpoint,
} from '@event-api/platform/projections/projection.entity';
import {
  Admission,
  SeatLedger,
  SeatReservation,
  SeatReservationItem,
} from './admission/admission.entity.ts';
import { Attendee } from './attendees/attendee.entity.ts';
import {
  AddonProjection,
  EventProjection,
  PerkProjection,
  TicketTypeProjection,
} from './copies/copies.entity.ts';
import { PerkGrant } from './perks/perk-grant.entity.ts';
import { RedemptionCode, RedemptionCodePerk } from './redemption-codes/redemption-code.entity.ts';
import { Registration, RegistrationAddon } from './registrations/registration.entity.ts';

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
