import type { RegistrationStatus } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

/** The columns of a registration that a check-in needs. */
export interface BadgeRow {
  id: string;
  eventId: string;
  checkinCode: string;
  status: RegistrationStatus;
  version: number;
  name: string | null;
  registrationTypeId: string | null;
}

const columns = `id, event_id as "eventId", checkin_code as "checkinCode", status, version, name,
  ticket_type_id as "registrationTypeId"`;

const badgeById = statement<BadgeRow>(
  'badge_by_id',
  `select ${columns} from registration.registration
   where business_unit_id = $1 and event_id = $2 and id = $3`,
);

const badgeByCode = statement<BadgeRow>(
  'badge_by_code',
  `select ${columns} from registration.registration
   where business_unit_id = $1 and event_id = $2 and checkin_code = $3`,
);

/** The registration with this id, or null. */
export async function findBadgeById(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  registrationId: string,
): Promise<BadgeRow | null> {
  const [row] = await db.query(badgeById, [businessUnitId, eventId, registrationId]);
  return row ?? null;
}

/** The registration with this badge code, or null. */
export async function findBadgeByCode(
  db: Db,
  { businessUnitId, eventId }: EventScope,
  checkinCode: string,
): Promise<BadgeRow | null> {
  const [row] = await db.query(badgeByCode, [businessUnitId, eventId, checkinCode]);
  return row ?? null;
}
