import { Client, type ClientConfig, DatabaseError, escapeLiteral } from 'pg';
import { scramVerifier } from './scram.ts';

/**
 * Makes the password of `current` valid for its role. While the password is being replaced, the
 * server may still have that of `previous`; PostgreSQL then changes it. Errors: PostgreSQL's, when
 * neither password is valid.
 */
export async function ensureSuperuserPassword(
  current: ClientConfig & { user: string; password: string },
  previous: ClientConfig | undefined,
): Promise<void> {
  if (!previous || (await accepts(current))) return;
  const client = new Client(previous);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const verifier = scramVerifier(current.password, current.user);
    await client.query(`alter role current_user password ${escapeLiteral(verifier)}`);
  } finally {
    await client.end();
  }
}

/** Whether the password is valid. Errors: the server cannot be reached. */
async function accepts(connection: ClientConfig): Promise<boolean> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '28P01') return false;
    throw error;
  } finally {
    await client.end();
  }
}
