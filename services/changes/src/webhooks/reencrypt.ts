import { type KeyRing, reencrypt } from '@event-api/platform/core/key-ring';
import { columnsOf, type RowOf } from '@event-api/platform/db/columns';
import type { Database, Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { WebhookEndpoint } from './webhook.entity.ts';

const pageRows = 100;

const columns = columnsOf(WebhookEndpoint, 'e', {
  only: ['id', 'secret', 'signingKey', 'previousSecrets'],
});
type SecretsRow = RowOf<typeof columns>;

const lockPage = statement<SecretsRow>(
  'webhook_secrets_page',
  `select ${columns.sql} from changes.webhook_endpoint e
   where e.id > $1 order by e.id limit ${pageRows} for update`,
);

const writeSecrets = statement(
  'webhook_secrets_write',
  `update changes.webhook_endpoint set secret = $2, signing_key = $3, previous_secrets = $4 where id = $1`,
);

/**
 * Encrypts the secrets of all endpoints with the first key of the ring. Endpoints that it has
 * encrypted stay as they are. Each page is a transaction of its own. Errors: the ring lacks the key
 * of a secret. Locks: the endpoints of a page in the order of their ids.
 */
export async function reencryptSecrets(
  db: Database,
  ring: KeyRing,
): Promise<{ endpoints: number; reencrypted: number }> {
  const total = { endpoints: 0, reencrypted: 0 };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const start: string = after;
    const page = await db.transaction((tx) => reencryptPage(tx, ring, start));
    total.endpoints += page.ids.length;
    total.reencrypted += page.reencrypted;
    after = page.ids.length < pageRows ? undefined : page.ids.at(-1);
  }
  return total;
}

async function reencryptPage(
  tx: Tx,
  ring: KeyRing,
  after: string,
): Promise<{ ids: string[]; reencrypted: number }> {
  const rows = await tx.query(lockPage, [after]);
  const changed = rows
    .map((row) => [row, renewed(ring, row)] as const)
    .filter(([row, next]) => JSON.stringify(row) !== JSON.stringify(next));
  for (const [, { id, secret, signingKey, previousSecrets }] of changed) {
    tx.send(writeSecrets, [id, secret, signingKey, JSON.stringify(previousSecrets)], () => {});
  }
  return { ids: rows.map(({ id }) => id), reencrypted: changed.length };
}

const renewed = (ring: KeyRing, { id, secret, signingKey, previousSecrets }: SecretsRow) => ({
  id,
  secret: reencrypt(ring, id, secret),
  signingKey: reencrypt(ring, id, signingKey),
  previousSecrets: previousSecrets.map((previous) => ({
    ...previous,
    secret: reencrypt(ring, id, previous.secret),
  })),
});
