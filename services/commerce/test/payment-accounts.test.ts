import { randomBytes } from 'node:crypto';
import { decrypt, encrypt, type KeyRing, readKeyRing } from '@event-api/platform/core/key-ring';
import { atStep, resetSwitches } from '@event-api/platform/testing/switches/switches';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectAccount } from '../src/payments/accounts/connect.ts';
import { providerOf } from '../src/payments/accounts/provider-of.ts';
import { reencryptAccounts } from '../src/payments/accounts/reencrypt.ts';
import { setAccountKey } from '../src/payments/accounts/set-key.ts';
import { createSandboxProvider } from '../src/payments/providers/sandbox.ts';
import { createStripeProvider } from '../src/payments/providers/stripe.ts';
import { database, db, useDatabase } from './context.ts';
import { startStripeServer } from './providers/stripe-server.ts';

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
    `insert into commerce.payment_account (id, business_unit_id, provider, provider_account_id, secret_key, webhook_secret,
       can_charge, checked_at, created_at, connected_at)
     values ($1, $1, 'sandbox', $1, $2, $3, true, now(), now(), now())`,
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

describe('the command that stores a key', () => {
  let stripeServer: Awaited<ReturnType<typeof startStripeServer>>;

  beforeAll(async () => {
    stripeServer = await startStripeServer();
  });
  afterEach(resetSwitches);
  afterAll(() => stripeServer?.close());

  const set = (keyRing: KeyRing | null = during, secretKey = 'sk_test_1') => {
    const stripe = createStripeProvider({
      ...{ secretKey: 'sk_test_platform', webhookSecrets: [], livemode: false },
      apiUrl: stripeServer.url,
    });
    const deps = { db, provider: stripe, accounts: { mode: 'unit', keyRing } } as const;
    return setAccountKey(deps, { businessUnitId: 'unit_1', secretKey, webhookSecret: 'whsec_1' });
  };
  const stored = () =>
    database.sql("select id from commerce.payment_account where business_unit_id = 'unit_1'");

  test('stores nothing without keys that encrypt, and for a key that the provider rejects', async () => {
    await expect(set(null)).rejects.toThrow('PAYMENT_SECRETS_KEYS');
    await expect(set(during, 'sk_test_unknown')).rejects.toThrow('rejects the key');
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['payment_account.verified', 0],
    ['payment_account.stored', 1],
  ])('repeats after a kill at %s', async (step, count) => {
    await database.sql("delete from commerce.payment_account where business_unit_id = 'unit_1'");
    atStep(step, () => {
      throw new Error('cut off');
    });
    await expect(set()).rejects.toThrow('cut off');
    resetSwitches();
    const before = await stored();
    expect(before).toHaveLength(count);
    await set();
    const after = await stored();
    expect(after).toHaveLength(1);
    if (count === 1) expect(after).toEqual(before);
  });
});

describe('the command that connects an account', () => {
  let stripeServer: Awaited<ReturnType<typeof startStripeServer>>;

  beforeAll(async () => {
    stripeServer = await startStripeServer();
  });
  afterEach(resetSwitches);
  afterAll(() => stripeServer?.close());

  const connect = (businessUnitId: string) => {
    const stripe = createStripeProvider({
      ...{ secretKey: 'sk_test_1', webhookSecrets: [], livemode: false },
      apiUrl: stripeServer.url,
    });
    const deps = { db, provider: stripe, accounts: { mode: 'unit', keyRing: null } } as const;
    return connectAccount(deps, { businessUnitId, returnUrl: 'https://console.example.com/' });
  };
  const stored = (businessUnitId: string) =>
    database.sql(
      'select id, provider_account_id, connected_at from commerce.payment_account where business_unit_id = $1',
      [businessUnitId],
    );
  const created = () => stripeServer.requests.filter(({ path }) => path === '/v1/accounts');

  test.each(['payment_account.started', 'payment_account.created'])(
    'goes on with the same account after a kill at %s',
    async (step) => {
      const unit = `unit_${step}`;
      atStep(step, () => {
        throw new Error('cut off');
      });
      await expect(connect(unit)).rejects.toThrow('cut off');
      resetSwitches();
      const [before] = await stored(unit);
      const url = await connect(unit);
      const after = await stored(unit);
      expect(after).toMatchObject([{ id: before?.id, connected_at: null }]);
      expect(url).toContain(after[0]?.provider_account_id);
      const keys = new Set(created().map(({ key }) => key));
      expect(keys.has(String(before?.id))).toBe(true);
      expect(await connect(unit)).toBe(url);
    },
  );

  test('creates one account, however many operators connect it at the same time', async () => {
    const before = created().length;
    const urls = await Promise.all(Array.from({ length: 5 }, () => connect('unit_race')));
    expect(new Set(urls).size).toBe(1);
    expect(await stored('unit_race')).toHaveLength(1);
    const keys = created()
      .slice(before)
      .map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
  });
});
