import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Db } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { timeouts } from '../timeouts.ts';
import { Passkey, PasskeyChallenge } from './passkey.entity.ts';

const challengeColumns = columnsOf(PasskeyChallenge, 'c', {
  only: ['operatorId', 'name', 'userHandle'],
});
export type ChallengeRow = RowOf<typeof challengeColumns>;

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
  `delete from console.passkey_challenge c
   where c.challenge = $1 and c.purpose = $2 and c.expires_at > clock_timestamp()
   returning ${challengeColumns.sql}`,
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

const columns = columnsOf(Passkey, 'k');
export type PasskeyRow = RowOf<typeof columns>;

const select = `select ${columns.sql} from console.passkey k`;

const ofOperator = statement<PasskeyRow>(
  'passkeys_of_operator',
  `${select} where k.operator_id = $1 order by k.created_at, k.id`,
);
/** Lists the passkeys of an operator, oldest first. */
export const listPasskeys = (db: Db, operatorId: string): Promise<PasskeyRow[]> =>
  db.query(ofOperator, [operatorId]);

const byCredential = statement<PasskeyRow>(
  'passkey_by_credential',
  `${select} where k.credential_id = $1`,
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
