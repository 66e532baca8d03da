import { type KeyRing, reencrypt } from '@event-api/platform/core/key-ring';
import type { Database, Tx } from '@event-api/platform/db/database';
import { lockAccountsAfter, writeAccountSecrets } from './accounts.queries.ts';

/**
 * Encrypts the secrets of all accounts with the first key of the ring. Accounts that it has
 * encrypted stay as they are. Each page is a transaction of its own. Errors: the ring lacks the key
 * of a secret. Locks: the accounts of a page in the order of their ids.
 */
export async function reencryptAccounts(
  db: Database,
  ring: KeyRing | null,
): Promise<{ accounts: number; reencrypted: number }> {
  const total = { accounts: 0, reencrypted: 0 };
  if (ring === null) return total;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const start: string = after;
    const page = await db.transaction((tx) => reencryptPage(tx, ring, start));
    total.accounts += page.accounts;
    total.reencrypted += page.reencrypted;
    after = page.lastId;
  }
  return total;
}

async function reencryptPage(tx: Tx, ring: KeyRing, after: string) {
  const rows = await lockAccountsAfter(tx, after);
  let reencrypted = 0;
  for (const { id, ...row } of rows) {
    const secretKey = reencrypt(ring, id, row.secretKey);
    const webhookSecret = reencrypt(ring, id, row.webhookSecret);
    if (secretKey === row.secretKey && webhookSecret === row.webhookSecret) continue;
    await writeAccountSecrets(tx, { id, secretKey, webhookSecret });
    reencrypted += 1;
  }
  return { accounts: rows.length, reencrypted, lastId: rows.at(-1)?.id };
}
