import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

const ITERATIONS = 4096;

/**
 * The form in which PostgreSQL stores the password of a role. It is sent instead of the password,
 * so that no server log contains the password. The same input always returns the same text.
 */
export function scramVerifier(password: string, role: string): string {
  const salt = createHash('sha256').update(role).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
