import { normalEmail } from '@event-api/contracts/http/fields';
import type { Role } from '@event-api/contracts/permissions';
import { recordAudit } from '@event-api/platform/audit/write';
import { notFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database } from '@event-api/platform/db/database';
import { doNotStoreResponse } from '@event-api/platform/http/idempotency/scope';
import { invitationEnded, invitationExists, invitationForOther } from '../errors.ts';
import { insertMember } from '../members/queries.ts';
import { hashOf, newSecret } from '../sessions/commands.ts';
import {
  type InvitationRow,
  insertInvitation,
  lockInvitation,
  readAcceptor,
  writeAcceptance,
  writePlatformAdmin,
  writeRevocation,
} from './queries.ts';
import { decideAcceptance } from './rules.ts';

/**
 * Creates an invitation and returns it with its secret, which is nowhere else: the response is not stored under an
 * `Idempotency-Key`. Errors: 409 in a retry when the invitation exists.
 */
export async function createInvitation(
  db: Database,
  input: {
    businessUnitId: string | null;
    role: Role | null;
    platformAdmin: boolean;
    email: string | undefined;
  },
): Promise<InvitationRow & { secret: string }> {
  const { email, ...invitation } = input;
  const [id, secret] = [newId('inv'), newSecret()];
  doNotStoreResponse();
  const created = await db.transaction(async (tx) => {
    recordAudit(tx, { records: [id] });
    return insertInvitation(tx, {
      ...invitation,
      id,
      tokenHash: hashOf(secret),
      email: email === undefined ? null : normalEmail(email),
    });
  });
  if (!created) throw invitationExists(id);
  return { ...created, secret };
}

/**
 * Accepts an invitation: the operator becomes a member, an administrator of the platform, or both. A member keeps its role.
 * The same operator can repeat it. Errors: 412 `INVITATION_ENDED`, `INVITATION_FOR_OTHER`. Locks: the invitation, so that
 * one of several operators gets it.
 */
export async function acceptInvitation(
  db: Database,
  operatorId: string,
  secret: string,
): Promise<Pick<InvitationRow, 'businessUnitId' | 'role' | 'platformAdmin'>> {
  return db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, hashOf(secret));
    const operator = await readAcceptor(tx, operatorId);
    const decision = decideAcceptance(invitation, operator, invitation?.now ?? new Date(0));
    if (decision.outcome === 'ended' || !invitation) throw invitationEnded();
    if (decision.outcome === 'for_other') throw invitationForOther();
    const { id, businessUnitId, role, platformAdmin } = invitation;
    if (decision.outcome === 'accept') {
      await writeAcceptance(tx, id, operatorId);
      if (businessUnitId !== null && role !== null) {
        await insertMember(tx, businessUnitId, operatorId, role);
      }
      if (platformAdmin) await writePlatformAdmin(tx, operatorId);
    }
    return { businessUnitId, role, platformAdmin };
  });
}

/** Revokes an open invitation of a business unit. A revoked one stays as it is. Errors: 404. */
export async function revokeInvitation(
  db: Database,
  businessUnitId: string,
  id: string,
): Promise<InvitationRow> {
  const revoked = await db.transaction(async (tx) => {
    recordAudit(tx);
    return writeRevocation(tx, businessUnitId, id);
  });
  if (!revoked) throw notFound('invitation');
  return revoked;
}
