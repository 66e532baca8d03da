import { normalEmail } from '@event-api/contracts/email';
import type { Role } from '@event-api/contracts/permissions';
import { newAuditedRequest } from '@event-api/platform/audit/audited-request';
import { recordAudit } from '@event-api/platform/audit/write';
import { ApiError, notFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { invitationEnded, invitationForOther } from '../errors.ts';
import { insertMember } from '../members/members.queries.ts';
import { hashOf, newSecret } from '../sessions/sessions.commands.ts';
import {
  findInvitation,
  type InvitationRow,
  insertInvitation,
  lockInvitation,
  readAcceptor,
  writeAcceptance,
  writeAdministratorRevocation,
  writePlatformAdmin,
  writeRevocation,
} from './invitations.queries.ts';
import { decideAcceptance } from './invitations.rules.ts';

/**
 * Creates an invitation and returns it with its secret, which is nowhere else: a retry that finds
 * the invitation returns null instead.
 */
export async function createInvitation(
  db: Database,
  input: {
    businessUnitId: string | null;
    role: Role | null;
    platformAdmin: boolean;
    email: string | undefined;
  },
): Promise<InvitationRow & { secret: string | null }> {
  const { email, ...invitation } = input;
  const [id, secret] = [newId('inv'), newSecret()];
  return db.transaction(async (tx) => {
    const existing = isRetry() ? await findInvitation(tx, id) : null;
    if (existing) return { ...existing, secret: null };
    recordAudit(tx, { records: [id] });
    const created = await insertInvitation(tx, {
      ...invitation,
      id,
      tokenHash: hashOf(secret),
      email: email === undefined ? null : normalEmail(email),
    });
    return { ...created, secret };
  });
}

/**
 * Accepts an invitation: the operator becomes a member, an administrator of the platform, or both.
 * A member keeps its role. The same operator can repeat it. The acceptance and each attempt that is
 * refused are in the audit log.
 * Errors: 412 `INVITATION_ENDED`, `INVITATION_FOR_OTHER`. Locks: the invitation, so that one of
 * several operators gets it.
 */
export async function acceptInvitation(
  db: Database,
  { operatorId, secret, requestId }: { operatorId: string; secret: string; requestId: string },
): Promise<Pick<InvitationRow, 'businessUnitId' | 'role' | 'platformAdmin'>> {
  const accepted = await db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, hashOf(secret));
    const operator = await readAcceptor(tx, operatorId);
    const decision = decideAcceptance(invitation, operator, invitation?.now ?? new Date(0));
    const audited = newAuditedRequest({
      requestId,
      operation: 'invitation.accept',
      actor: { type: 'operator', id: operatorId },
      businessUnitId: invitation?.businessUnitId ?? null,
      records: [...(invitation ? [invitation.id] : []), operatorId],
    });
    // The entry of a refusal is committed, so the error follows the transaction.
    if (decision.outcome === 'ended' || !invitation) {
      recordAudit(tx, { audited, result: 'refused', reason: 'INVITATION_ENDED' });
      return invitationEnded();
    }
    if (decision.outcome === 'for_other') {
      recordAudit(tx, { audited, result: 'refused', reason: 'INVITATION_FOR_OTHER' });
      return invitationForOther();
    }
    const { id, businessUnitId, role, platformAdmin } = invitation;
    if (decision.outcome === 'accept') {
      recordAudit(tx, { audited });
      await writeAcceptance(tx, id, operatorId);
      if (businessUnitId !== null && role !== null) {
        await insertMember(tx, businessUnitId, operatorId, role);
      }
      if (platformAdmin) await writePlatformAdmin(tx, operatorId);
    }
    return { businessUnitId, role, platformAdmin };
  });
  if (accepted instanceof ApiError) throw accepted;
  return accepted;
}

/** Revokes an open invitation of a business unit. A revoked one stays as it is. Errors: 404. */
export const revokeInvitation = (
  db: Database,
  businessUnitId: string,
  id: string,
): Promise<InvitationRow> => revoke(db, (tx) => writeRevocation(tx, businessUnitId, id));

/**
 * Revokes an open invitation that makes an administrator of the platform. A revoked one stays as it
 * is. Errors: 404.
 */
export const revokeAdministratorInvitation = (db: Database, id: string): Promise<InvitationRow> =>
  revoke(db, (tx) => writeAdministratorRevocation(tx, id));

const revoke = (
  db: Database,
  write: (tx: Tx) => Promise<InvitationRow | null>,
): Promise<InvitationRow> =>
  db.transaction(async (tx) => {
    const revoked = await write(tx);
    if (!revoked) throw notFound('invitation');
    recordAudit(tx);
    return revoked;
  });
