import type { Database } from '@event-api/platform/db/database';
import { LockMode } from '@mikro-orm/core';
import { type KeyRing, reencrypt } from './secrets.ts';
import { WebhookEndpoint } from './webhook.entity.ts';

const pageRows = 100;

/**
 * Encrypts the secrets of all endpoints with the first key of the ring. Endpoints that it has encrypted stay as they are.
 * Each page is a transaction of its own. Errors: the ring lacks the key of a secret. Locks: the endpoints of a page in the
 * order of their ids.
 */
export async function reencryptSecrets(
  db: Database,
  ring: KeyRing,
): Promise<{ endpoints: number; reencrypted: number }> {
  const total = { endpoints: 0, reencrypted: 0 };
  for (let after: string | null = ''; after !== null; ) {
    const page = await reencryptPage(db, ring, after);
    total.endpoints += page.endpoints;
    total.reencrypted += page.reencrypted;
    after = page.last;
  }
  return total;
}

const reencryptPage = (db: Database, ring: KeyRing, after: string) =>
  db.transaction(async (tx) => {
    const endpoints = await tx.em.find(
      WebhookEndpoint,
      { id: { $gt: after } },
      { orderBy: { id: 'asc' }, limit: pageRows, lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    let reencrypted = 0;
    for (const endpoint of endpoints) {
      const { id, secret, signingKey, previousSecrets } = endpoint;
      const changed = {
        secret: reencrypt(ring, id, secret),
        signingKey: reencrypt(ring, id, signingKey),
        previousSecrets: previousSecrets.map(({ secret: text, until }) => ({
          secret: reencrypt(ring, id, text),
          until,
        })),
      };
      const isSame =
        changed.secret === secret &&
        changed.signingKey === signingKey &&
        changed.previousSecrets.every((each, n) => each.secret === previousSecrets[n]?.secret);
      if (isSame) continue;
      tx.em.assign(endpoint, changed);
      reencrypted += 1;
    }
    const isLast = endpoints.length < pageRows;
    return {
      endpoints: endpoints.length,
      reencrypted,
      last: isLast ? null : (endpoints.at(-1)?.id ?? null),
    };
  });
