import type { Role } from '@event-api/contracts/permissions';
import { recordAudit } from '@event-api/platform/audit/write';
import { notFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import { lastOwner } from '../errors.ts';
import {
  deleteMember,
  findMember,
  lockMembers,
  type MemberRow,
  writeRole,
} from './members.queries.ts';
import { decideRole } from './members.rules.ts';

interface MemberRef {
  businessUnitId: string;
  operatorId: string;
}

/**
 * Gives a member another role, or removes it if `role` is null. Returns the member as it is
 * afterwards, or was before its removal. Its next request has the new role. Errors: 404; 412
 * `LAST_OWNER`. Locks: all members of the business unit.
 */
export async function changeMember(
  db: Database,
  { businessUnitId, operatorId }: MemberRef,
  role: Role | null,
): Promise<MemberRow> {
  return db.transaction(async (tx) => {
    const members = await lockMembers(tx, businessUnitId);
    const decision = decideRole(members, operatorId, role);
    if (decision.outcome === 'missing') throw notFound('operator');
    if (decision.outcome === 'last_owner') throw lastOwner();
    const member = await findMember(tx, businessUnitId, operatorId);
    if (!member) throw notFound('operator');
    if (decision.outcome === 'unchanged') return member;
    if (role === null) await deleteMember(tx, businessUnitId, operatorId);
    else await writeRole(tx, businessUnitId, operatorId, role);
    recordAudit(tx);
    return { ...member, role: role ?? member.role };
  });
}
