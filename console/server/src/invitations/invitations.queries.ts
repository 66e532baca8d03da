import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { Operator } from '../operators/operator.entity.ts';
import { timeouts } from '../timeouts.ts';
import { Invitation } from './invitation.entity.ts';

const columns = columnsOf(Invitation, 'i', {
  omit: ['tokenHash', 'revokedAt', 'acceptedAt', 'acceptedBy'],
});

/** An invitation as operators read it. */
export type InvitationRow = RowOf<typeof columns>;

const openOfUnit = statement<InvitationRow>(
  'invitations_of_unit',
  `select ${columns.sql} from console.invitation i
   where business_unit_id = $1 and accepted_at is null and revoked_at is null and expires_at > clock_timestamp()
   order by created_at, id`,
);

/** Lists the open invitations of a business unit, oldest first. */
export const listInvitations = (db: Db, businessUnitId: string): Promise<InvitationRow[]> =>
  db.query(openOfUnit, [businessUnitId]);

const openOfAdministrators = statement<InvitationRow>(
  'invitations_of_administrators',
  `select ${columns.sql} from console.invitation i
   where platform_admin and accepted_at is null and revoked_at is null and expires_at > clock_timestamp()
   order by created_at, id`,
);

/** Lists the open invitations that make an administrator of the platform, oldest first. */
export const listAdministratorInvitations = (db: Db): Promise<InvitationRow[]> =>
  db.query(openOfAdministrators, []);

const insertStatement = statement<InvitationRow>(
  'invitation_create',
  `insert into console.invitation as i (id, token_hash, business_unit_id, role, platform_admin, email, expires_at)
   values ($1, $2, $3, $4, $5, $6, clock_timestamp() + interval '${timeouts.invitationSeconds} s')
   returning ${columns.sql}`,
);

/** Stores an invitation and returns it. */
export async function insertInvitation(
  db: Db,
  invitation: Omit<InvitationRow, 'createdAt' | 'expiresAt'> & { tokenHash: string },
): Promise<InvitationRow> {
  const { id, tokenHash, businessUnitId, role, platformAdmin, email } = invitation;
  const values = [id, tokenHash, businessUnitId, role, platformAdmin, email];
  const [row] = await db.query(insertStatement, values);
  if (!row) throw new Error('an insert has returned no row');
  return row;
}

const byId = statement<InvitationRow>(
  'invitation_by_id',
  `select ${columns.sql} from console.invitation i where id = $1`,
);

/** The invitation that an earlier run of the same request has created, or null. */
export async function findInvitation(db: Db, id: string): Promise<InvitationRow | null> {
  const [row] = await db.query(byId, [id]);
  return row ?? null;
}

const openByToken = statement<{ id: string }>(
  'invitation_open_by_token',
  `select id from console.invitation
   where token_hash = $1 and accepted_at is null and revoked_at is null and expires_at > clock_timestamp()`,
);

/** Whether a link is valid now. */
export async function isOpenToken(db: Db, tokenHash: string): Promise<boolean> {
  return (await db.query(openByToken, [tokenHash])).length > 0;
}

const endColumns = columnsOf(Invitation, 'i', { only: ['revokedAt', 'acceptedBy'] });
type LockedInvitation = InvitationRow & RowOf<typeof endColumns> & { now: Date };

const lockByToken = statement<LockedInvitation>(
  'invitation_lock_by_token',
  `select ${columns.sql}, ${endColumns.sql}, clock_timestamp() as now
   from console.invitation i where i.token_hash = $1 for update`,
);

/**
 * Locks the invitation of a link, and returns it with the time of the database; null for an unknown
 * link.
 */
export async function lockInvitation(tx: Tx, tokenHash: string): Promise<LockedInvitation | null> {
  const [row] = await tx.query(lockByToken, [tokenHash]);
  return row ?? null;
}

const acceptStatement = statement(
  'invitation_accept',
  'update console.invitation set accepted_at = clock_timestamp(), accepted_by = $2 where id = $1',
);
export const writeAcceptance = (tx: Tx, id: string, operatorId: string) =>
  tx.query(acceptStatement, [id, operatorId]);

const acceptor = columnsOf(Operator, 'o', { only: ['email', 'emailVerified'] });

const acceptorStatement = statement<RowOf<typeof acceptor> & { operatorId: string }>(
  'invitation_acceptor',
  `select o.id as "operatorId", ${acceptor.sql} from console.operator o where o.id = $1`,
);

/** The operator who accepts an invitation. */
export async function readAcceptor(tx: Tx, operatorId: string) {
  const [row] = await tx.query(acceptorStatement, [operatorId]);
  if (!row) throw new Error('the operator of a session does not exist');
  return row;
}

const grantPlatform = statement(
  'operator_grant_platform',
  'update console.operator set platform_admin = true where id = $1',
);
/** Makes an operator an administrator of the platform. */
export const writePlatformAdmin = (tx: Tx, operatorId: string) =>
  tx.query(grantPlatform, [operatorId]);

const revokeStatement = statement<InvitationRow>(
  'invitation_revoke',
  `update console.invitation i set revoked_at = coalesce(revoked_at, clock_timestamp())
   where business_unit_id = $1 and id = $2 and accepted_at is null returning ${columns.sql}`,
);

/**
 * Revokes an invitation and returns it; null if the unit has none with this id, or it was accepted.
 */
export async function writeRevocation(
  db: Db,
  businessUnitId: string,
  id: string,
): Promise<InvitationRow | null> {
  const [row] = await db.query(revokeStatement, [businessUnitId, id]);
  return row ?? null;
}

const revokeOfAdministrator = statement<InvitationRow>(
  'invitation_revoke_of_administrator',
  `update console.invitation i set revoked_at = coalesce(revoked_at, clock_timestamp())
   where platform_admin and id = $1 and accepted_at is null returning ${columns.sql}`,
);

/**
 * Revokes an invitation that makes an administrator, and returns it; null if there is none, or it
 * was accepted.
 */
export async function writeAdministratorRevocation(
  db: Db,
  id: string,
): Promise<InvitationRow | null> {
  const [row] = await db.query(revokeOfAdministrator, [id]);
  return row ?? null;
}

const deleteOld = statement(
  'invitation_delete_old',
  `delete from console.invitation
   where expires_at < clock_timestamp() - interval '${timeouts.endedInvitationSeconds} s'`,
);
/** Deletes invitations that have ended long ago. */
export const deleteOldInvitations = (db: Db) => db.query(deleteOld);
