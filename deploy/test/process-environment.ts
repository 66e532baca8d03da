import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerIssuers, type Process, urlSettingsOf } from '@event-api/contracts/topology';
import { callerKeys } from '@event-api/provisioning/keys';

/** The addresses of the servers, with the user of a process. */
export interface ServerAddresses {
  database: string;
  nats: string;
  redis: string;
}

/** Settings with which a process starts alone: the processes that it calls do not exist. */
export function environmentOf(
  each: Process,
  { database, nats, redis }: ServerAddresses,
): Record<string, string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'event-api-image-keys-'));
  const keys = callerKeys(dataDir, callerIssuers);
  rmSync(dataDir, { recursive: true, force: true });
  const unreachable = urlSettingsOf(each).map((setting) => [setting, 'http://127.0.0.1:9']);
  return {
    DATABASE_URL: database,
    // Only the console reads it.
    CONSOLE_URL: 'http://127.0.0.1:9',
    NATS_URL: nats,
    REDIS_URL: redis,
    CALLER_PRIVATE_KEY: JSON.stringify(keys.private[each.name]),
    CALLER_PUBLIC_KEYS: JSON.stringify(keys.public),
    PAYMENT_PROVIDER: 'sandbox',
    ALLOW_SANDBOX: '1',
    SANDBOX_URL: 'http://127.0.0.1:9',
    SANDBOX_SECRETS: 'a-secret-for-the-sandbox-of-this-test',
    PAYMENT_SECRETS_KEYS: randomBytes(32).toString('base64url'),
    LEDGER_SIGNING_KEY: randomBytes(32).toString('base64url'),
    WEBHOOK_SECRETS_KEYS: randomBytes(32).toString('base64url'),
    ...Object.fromEntries(unreachable),
  };
}
