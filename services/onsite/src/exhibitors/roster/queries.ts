import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

// The primary key is the registration, so concurrent inserts of one registration run one after the other.
const upsert = statement<{ registrationId: string }>(
  'exhibitor_member_write',
  `insert into onsite.exhibitor_member as m (business_unit_id, event_id, exhibitor_id, registration_id, role)
   values ($1, $2, $3, $4, $5)
   on conflict (registration_id) do update set role = excluded.role
     where m.exhibitor_id = excluded.exhibitor_id and m.business_unit_id = excluded.business_unit_id
   returning registration_id as "registrationId"`,
);

/** Inserts a member, or updates its role. Returns false if the registration staffs another exhibitor. */
export async function writeMember(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  member: { exhibitorId: string; registrationId: string; role: string },
): Promise<boolean> {
  const { exhibitorId, registrationId, role } = member;
  const values = [businessUnitId, eventId, exhibitorId, registrationId, role];
  return (await tx.query(upsert, values)).length > 0;
}

const remove = statement(
  'exhibitor_member_delete',
  `delete from onsite.exhibitor_member
   where business_unit_id = $1 and event_id = $2 and exhibitor_id = $3 and registration_id = $4`,
);

export const removeMemberRow = async (
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { exhibitorId, registrationId }: { exhibitorId: string; registrationId: string },
): Promise<void> =>
  void (await tx.query(remove, [businessUnitId, eventId, exhibitorId, registrationId]));
