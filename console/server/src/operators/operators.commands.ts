import { recordAudit } from '@event-api/platform/audit/write';
import { notFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import type { Database, Tx } from '@event-api/platform/db/database';
import { violatedUniqueConstraint } from '@event-api/platform/db/errors';
import { Identity, Operator } from './operator.entity.ts';
import {
  type AdministratorRow,
  deleteAdministrator,
  findOperatorId,
  updateProfile,
} from './operators.queries.ts';

/** What an identity provider says about a person. */
export interface Profile {
  issuer: string;
  subject: string;
  name: string;
  email: string | null;
  emailVerified: boolean;
}

/**
 * Returns the operator of an identity with its current name and email. An unknown identity becomes
 * a new operator, who is a member of no business unit. Two first sign-ins at once create one
 * operator.
 */
export async function recognizeOperator(db: Database, profile: Profile): Promise<string> {
  const { issuer, subject } = profile;
  for (;;) {
    const existing = await findOperatorId(db, issuer, subject);
    if (existing !== null) {
      await updateProfile(db, existing, profile);
      return existing;
    }
    try {
      return await db.transaction((tx) => createOperator(tx, profile));
    } catch (error) {
      // Another request has created it.
      if (violatedUniqueConstraint(error) !== 'identity_pkey') throw error;
    }
  }
}

/** Creates an operator with its identity. Errors: a unique violation of `identity_pkey`. */
export async function createOperator(
  tx: Tx,
  { issuer, subject, ...profile }: Profile,
): Promise<string> {
  const id = newId('opr');
  tx.em.create(Operator, { id, ...profile });
  tx.em.create(Identity, { issuer, subject, operatorId: id });
  await tx.em.flush();
  return id;
}

/**
 * Removes an administrator of the platform. Its next request is no longer one of an administrator.
 * Errors: 404 for an operator who is none.
 */
export const removeAdministrator = (db: Database, operatorId: string): Promise<AdministratorRow> =>
  db.transaction(async (tx) => {
    const removed = await deleteAdministrator(tx, operatorId);
    if (!removed) throw notFound('operator');
    recordAudit(tx);
    return removed;
  });
