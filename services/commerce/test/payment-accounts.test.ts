import { randomBytes } from 'node:crypto';
import { decrypt, encrypt, readKeyRing } from '@event-api/platform/core/key-ring';
import { expect, test } from 'vitest';
import { providerOf } from '../src/payments/accounts/provider-of.ts';
import { reencryptAccounts } from '../src/payments/accounts/reencrypt.ts';
import { createSandboxProvider } from '../src/payments/providers/sandbox.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const [old, next] = [newKey(), newKey()];
const before = readKeyRing([old]);
const during = readKeyRing([next, old]);
const after = readKeyRing([next]);
const provider = createSandboxProvider({ url: 'http://127.0.0.1:1', secrets: ['of-the-platform'] });

function newKey(): string {
  return randomBytes(32).toString('base64url');
}

const insert = (id: string) =>
  database.sql(
    `insert into commerce.payment_account (id, business_unit_id, provider, provider_account_id, secret_key, webhook_secret, created_at)
     values ($1, $1, 'sandbox', $1, $2, $3, now())`,
    [id, encrypt(before, id, `sk_${id}`), encrypt(before, id, `whsec_${id}`)],
  );

test('a rotation encrypts every secret again, and no secret needs the replaced key', async () => {
  const ids = Array.from({ length: 101 }, (_, n) => `pac_${String(n).padStart(3, '0')}`);
  await Promise.all(ids.map(insert));
  const deps = { db, provider };
  const own = (keyRing: typeof after) =>
    providerOf({ ...deps, accounts: { mode: 'unit', keyRing } }, 'sandbox/pac_100');
  await expect(own(after)).rejects.toMatchObject({ code: 503 });
  expect((await own(during)).name).toBe('sandbox/pac_100');
  expect(await reencryptAccounts(db, during)).toEqual({ accounts: 101, reencrypted: 101 });
  expect(await reencryptAccounts(db, during)).toEqual({ accounts: 101, reencrypted: 0 });
  expect((await own(after)).name).toBe('sandbox/pac_100');
  const rows = await database.sql(
    'select id, secret_key as "secretKey", webhook_secret as "webhookSecret" from commerce.payment_account',
  );
  for (const { id, secretKey, webhookSecret } of rows as Record<string, string>[]) {
    expect(decrypt(after, id ?? '', secretKey ?? '')).toBe(`sk_${id}`);
    expect(decrypt(after, id ?? '', webhookSecret ?? '')).toBe(`whsec_${id}`);
  }
});

test('without a key ring the platform has its own account alone', async () => {
  const deps = { db, provider, accounts: { mode: 'platform', keyRing: null } } as const;
  expect(await providerOf(deps, 'sandbox')).toBe(provider);
  await expect(providerOf(deps, 'sandbox/pac_000')).rejects.toMatchObject({ code: 503 });
  await expect(providerOf(deps, 'sandbox/pac_unknown')).rejects.toMatchObject({ code: 503 });
});
