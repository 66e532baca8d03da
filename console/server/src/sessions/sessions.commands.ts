import { hash, randomBytes } from 'node:crypto';
import type { Db } from '@event-api/platform/db/database';
import { deleteSession, insertSession } from './sessions.queries.ts';

/**
 * The stored form of a secret of 256 random bits. It needs no salt: the bits are in no dictionary.
 */
export const hashOf = (secret: string): string => hash('sha256', secret);

export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * Signs an operator in: creates a session with a new id and returns its cookie. The session that
 * the browser had before ends, so an id that somebody else has placed there is worth nothing.
 */
export async function startSession(
  db: Db,
  operatorId: string,
  previousCookie: string | undefined,
): Promise<string> {
  const cookie = newSecret();
  await insertSession(db, hashOf(cookie), operatorId);
  if (previousCookie !== undefined) await deleteSession(db, hashOf(previousCookie));
  return cookie;
}
