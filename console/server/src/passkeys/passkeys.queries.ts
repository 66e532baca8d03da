import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { timeouts } from '../timeouts.ts';

export interface ChallengeRow {
  operatorId: string | null;
  name: string | null;
  userHandle: string | null;
}

export type ChallengePurpose = 'registration' | 'sign_in';

const insertStatement = statement(
  'passkey_challenge_create',
  `insert into console.passkey_challenge (challenge, purpose, operator_id, name, user_handle, expires_at)
   values ($1, $2, $3, $4, $5, clock_timestamp() + interval '${timeouts.challengeSeconds} s')`,
);

export const insertChallenge = (
  db: Db,
  challenge: string,
  purpose: ChallengePurpose,
  { operatorId, name, userHandle }: ChallengeRow,
) => db.query(insertStatement, [challenge, purpose, operatorId, name, userHandle]);

const takeStatement = statement<ChallengeRow>(
  'passkey_challenge_take',
  `delete from console.passkey_challenge where challenge = $1 and purpose = $2 and expires_at > clock_timestamp()
   returning operator_id as "operatorId", name, user_handle as "userHandle"`,
);

/**
 * Removes a challenge, so that it is used once, and returns it; null if it does not exist or has
 * expired.
 */
export async function takeChallenge(
  db: Db,
  challenge: string,
  purpose: ChallengePurpose,
): Promise<ChallengeRow | null> {
  const [row] = await db.query(takeStatement, [challenge, purpose]);
  return row ?? null;
}

const deleteExpired = statement(
  'passkey_challenge_delete_expired',
  'delete from console.passkey_challenge where expires_at < clock_timestamp()',
);
/** Deletes challenges that no browser has used. */
export const deleteExpiredChallenges = (db: Db) => db.query(deleteExpired);

export interface PasskeyRow {
  id: string;
  operatorId: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

const select = `select id, operator_id as "operatorId", credential_id as "credentialId", public_key as "publicKey",
  counter, transports, created_at as "createdAt", last_used_at as "lastUsedAt" from console.passkey`;

const ofOperator = statement<PasskeyRow>(
  'passkeys_of_operator',
  `${select} where operator_id = $1 order by created_at, id`,
);
/** Lists the passkeys of an operator, oldest first. */
export const listPasskeys = (db: Db, operatorId: string): Promise<PasskeyRow[]> =>
  db.query(ofOperator, [operatorId]);

const byCredential = statement<PasskeyRow>(
  'passkey_by_credential',
  `${select} where credential_id = $1`,
);
/** Returns the passkey with the id that the browser names, or null. */
export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  const [row] = await db.query(byCredential, [credentialId]);
  return row ?? null;
}

const useStatement = statement<{ id: string }>(
  'passkey_use',
  `update console.passkey set counter = $2, last_used_at = clock_timestamp()
   where id = $1 and counter = $3 returning id`,
);
/** Stores a use. Returns false if another use was stored since the passkey was read. */
export async function writeUse(
  db: Db,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  newCounter: number,
): Promise<boolean> {
  return (await db.query(useStatement, [id, newCounter, counter])).length > 0;
}

const removeStatement = statement<PasskeyRow>(
  'passkey_remove',
  'delete from console.passkey where id = $1 and operator_id = $2',
);
export const deletePasskey = (db: Db, operatorId: string, id: string) =>
  db.query(removeStatement, [id, operatorId]);

const lockStatement = statement<{ id: string }>(
  'passkeys_lock',
  'select id from console.passkey where operator_id = $1 order by id for update',
);
/** Locks the passkeys of an operator and returns their ids. */
export const lockPasskeys = (db: Db, operatorId: string) => db.query(lockStatement, [operatorId]);
