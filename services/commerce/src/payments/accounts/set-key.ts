import { recordAudit } from '@event-api/platform/audit/write';
import { newId } from '@event-api/platform/core/ids';
import { encrypt } from '@event-api/platform/core/key-ring';
import { reachStep } from '@event-api/platform/core/steps';
import type { Database } from '@event-api/platform/db/database';
import { paymentAccountRefused } from '../../errors.ts';
import {
  disconnectAccount,
  findAtProvider,
  lockAccountsOfUnit,
  storeAccount,
} from './accounts.queries.ts';
import { decideKey } from './accounts.rules.ts';
import type { AccountDeps } from './provider-of.ts';

export interface AccountCommandDeps extends AccountDeps {
  db: Database;
}

/**
 * Stores the secret key of a unit's own account, with the secret of its notifications, after the
 * provider has named the account of the key. New payments of the unit are opened on it. The account
 * that the unit had is disconnected: its open pages stay payable. Safe to repeat; a new key of the
 * same account replaces the old one.
 * Errors: 412 `PAYMENT_ACCOUNT_REFUSED`; 503 if the provider is unavailable, and nothing is stored.
 * Locks: the account of the unit, but not during the call. Reports: nothing.
 */
export async function setAccountKey(
  { db, provider, accounts: { keyRing } }: AccountCommandDeps,
  input: { businessUnitId: string; secretKey: string; webhookSecret: string },
): Promise<void> {
  const { businessUnitId, secretKey, webhookSecret } = input;
  if (keyRing === null) {
    throw paymentAccountRefused(
      'This installation stores no keys: PAYMENT_SECRETS_KEYS is not set.',
    );
  }
  const access = { kind: 'key', secretKey, webhookSecret } as const;
  const own = provider.onAccount({ name: provider.name, businessUnitId, access });
  const verified = await own.verifyAccount();
  if (verified.outcome === 'refused') throw paymentAccountRefused(verified.message);
  reachStep('payment_account.verified');
  const newAccountId = newId('pac');
  await db.transaction(async (tx) => {
    await lockAccountsOfUnit(tx, businessUnitId);
    const existing = await findAtProvider(tx, provider.name, verified.providerAccountId);
    const decision = decideKey(verified, businessUnitId, existing?.businessUnitId ?? null);
    if (decision.outcome === 'refused') throw paymentAccountRefused(decision.message);
    const id = existing?.id ?? newAccountId;
    await disconnectAccount(tx, businessUnitId, provider.name, id);
    const isStored = await storeAccount(tx, {
      ...{ id, businessUnitId, provider: provider.name },
      providerAccountId: verified.providerAccountId,
      secretKey: encrypt(keyRing, id, secretKey),
      webhookSecret: encrypt(keyRing, id, webhookSecret),
    });
    if (!isStored) {
      throw paymentAccountRefused('The account of this key belongs to another business unit.');
    }
    recordAudit(tx, { records: [businessUnitId, id] });
  });
  reachStep('payment_account.stored');
}

/**
 * Disconnects the account of a unit, and one that is being set up: its open pages stay payable, and
 * its payments are refunded there. Without an account it changes nothing. Locks: the account of the
 * unit.
 */
export async function disconnectAccountOf(
  { db, provider }: AccountCommandDeps,
  businessUnitId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockAccountsOfUnit(tx, businessUnitId);
    const isChanged = await disconnectAccount(tx, businessUnitId, provider.name, null);
    recordAudit(tx, { records: [businessUnitId], result: isChanged ? 'done' : 'unchanged' });
  });
}
