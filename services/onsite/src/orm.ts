import { AuditEntry } from '@event-api/platform/audit/audit-entry.entity';
import { ormOptions } from '@event-api/platform/db/migrations';
import { IdempotencyKey } from '@event-api/platform/http/idempotency/idempotency-key.entity';
import {
  ChangeCounter,
  ChangeInbox,
  ChangeLog,
} from '@event-api/platform/messaging/changes/change-log.entity';
import { DeadLetter } from '@event-api/platform/messaging/projections/projection.entity';
import { Checkin } from './checkins/checkin.entity.ts';
import { Device } from './checkins/devices/device.entity.ts';
import { DoorRule } from './checkins/door-rules/door-rule.entity.ts';
import { Scan } from './checkins/offline/scan.entity.ts';
import { CheckinCount, ScanCount } from './checkins/summary/checkin-count.entity.ts';
import { Booth, Exhibitor, ExhibitorMember } from './exhibitors/exhibitor.entity.ts';
import { DeletedDoor } from './program/deleted-door.entity.ts';
import { ProjectedAddon } from './projections/addon.projection.ts';
import { OnsiteCheckpoint, RemovedBadge, RosterEpoch } from './projections/badge-changes.entity.ts';
import { ProjectedEvent } from './projections/event.projection.ts';
import { ProjectedPerk } from './projections/perk.projection.ts';
import { ProjectedRedemptionCode } from './projections/redemption-code.projection.ts';
import { ProjectedRegistration } from './projections/registration.projection.ts';
import { ProjectedTicketType } from './projections/ticket-type.projection.ts';
import { Session } from './sessions/session.entity.ts';
import { Speaker } from './speakers/speaker.entity.ts';
import { Venue } from './venues/venue.entity.ts';

/** Onsite's tables and the folder of its migrations. */
export const onsiteOrm = (url: string) =>
  ormOptions({
    url,
    schema: 'onsite',
    entities: [
      Checkin,
      CheckinCount,
      Scan,
      ScanCount,
      Device,
      DoorRule,
      DeletedDoor,
      Session,
      Speaker,
      Venue,
      Exhibitor,
      ExhibitorMember,
      Booth,
      ProjectedEvent,
      ProjectedRegistration,
      ProjectedTicketType,
      ProjectedAddon,
      ProjectedRedemptionCode,
      ProjectedPerk,
      OnsiteCheckpoint,
      RemovedBadge,
      RosterEpoch,
      DeadLetter,
      IdempotencyKey,
      AuditEntry,
      ChangeInbox,
      ChangeLog,
      ChangeCounter,
    ],
    migrations: new URL('./migrations', import.meta.url),
  });
