import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';

// The primary key is the registration, so concurrent inserts of one registration run one after the
// other. The subquery sees the row before the statement.
const upsert = statement<{ previousRole: string | null }>(
  'exhibitor_member_write',
  `insert into onsite.exhibitor_member as m (business_unit_id, event_id, exhibitor_id, registration_id, role)
   values ($1, $2, $3, $4, $5)
   on conflict (registration_id) do update set role = excluded.role
     where m.exhibitor_id = excluded.exhibitor_id and m.business_unit_id = excluded.business_unit_id
   returning (select p.role from onsite.exhibitor_member p
     where p.registration_id = $4 and p.business_unit_id = $1 and p.exhibitor_id = $3) as "previousRole"`,
);

/** Inserts a member, or updates its role. The caller holds the lock of the exhibitor. */
export async function writeMember(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  member: { exhibitorId: string; registrationId: string; role: string },
): Promise<'changed' | 'unchanged' | 'staffs_another'> {
  const { exhibitorId, registrationId, role } = member;
  const values = [businessUnitId, eventId, exhibitorId, registrationId, role];
  const [written] = await tx.query(upsert, values);
  if (!written) return 'staffs_another';
  return written.previousRole === role ? 'unchanged' : 'changed';
}

const remove = statement<{ registrationId: string }>(
  'exhibitor_member_delete',
  `delete from onsite.exhibitor_member
   where business_unit_id = $1 and event_id = $2 and exhibitor_id = $3 and registration_id = $4
   returning registration_id as "registrationId"`,
);

/** Deletes a member. Returns whether it was on the roster. */
export async function removeMemberRow(
  tx: Tx,
  { businessUnitId, eventId }: EventScope,
  { exhibitorId, registrationId }: { exhibitorId: string; registrationId: string },
): Promise<boolean> {
  const values = [businessUnitId, eventId, exhibitorId, registrationId];
  return (await tx.query(remove, values)).length > 0;
}
