import { unavailable } from '@event-api/platform/core/errors';
import { decrypt, type KeyRing } from '@event-api/platform/core/key-ring';
import type { Db } from '@event-api/platform/db/database';
import { paymentAccountMissing } from '../../errors.ts';
import type { FeeRule } from '../fees/fees.rules.ts';
import type { AccountAccess, PaymentProvider } from '../providers/provider.ts';
import { type AccountRow, findAccount, findConnected } from './accounts.queries.ts';
import { type AccountMode, accountIdOf, accountName, decideAccount } from './accounts.rules.ts';

/** How business units get their money. */
export interface AccountSettings {
  mode: AccountMode;
  /** The keys that encrypt the secrets of accounts; null if no secrets are stored. */
  keyRing: KeyRing | null;
}

/** An installation with one seller: each payment is opened on the account of the platform. */
export const platformAccount: AccountSettings = { mode: 'platform', keyRing: null };

export interface AccountDeps {
  db: Db;
  /** The provider on the account of the platform. */
  provider: PaymentProvider;
  accounts: AccountSettings;
}

/**
 * The provider on the account that a payment or a settlement names in `provider`. Errors: 503 if the
 * secrets of the account cannot be decrypted.
 */
export async function providerOf(deps: AccountDeps, name: string): Promise<PaymentProvider> {
  const id = accountIdOf(name);
  if (id === null) return deps.provider;
  const account = await findAccount(deps.db, id);
  if (!account) throw unavailable(new Error('the payment account of a payment is not stored'));
  return onAccount(deps, account);
}

/** The provider on an account of a unit. Errors: as above. */
export function onAccount(
  { provider, accounts: { keyRing } }: Pick<AccountDeps, 'provider' | 'accounts'>,
  account: AccountRow,
): PaymentProvider {
  const { id, businessUnitId } = account;
  const access = accessTo(account, keyRing);
  return provider.onAccount({ name: accountName(provider.name, id), businessUnitId, access });
}

function accessTo(account: AccountRow, keyRing: KeyRing | null): AccountAccess {
  const { id, secretKey, webhookSecret, providerAccountId } = account;
  if (secretKey === null || webhookSecret === null) {
    if (providerAccountId === null) throw unavailable(new Error('the account is not created yet'));
    return { kind: 'connected', providerAccountId };
  }
  if (keyRing === null) throw unavailable(new Error('PAYMENT_SECRETS_KEYS is not set'));
  try {
    return {
      kind: 'key',
      secretKey: decrypt(keyRing, id, secretKey),
      webhookSecret: decrypt(keyRing, id, webhookSecret),
    };
  } catch (error) {
    throw unavailable(error);
  }
}

/**
 * The account on which a unit opens its next payment, and what the platform takes of it: nothing,
 * unless the account is connected. Errors: 412 `PAYMENT_ACCOUNT_MISSING`.
 */
export async function chooseAccount(
  { db, provider, accounts }: AccountDeps,
  businessUnitId: string,
): Promise<{ name: string; fee: FeeRule | null }> {
  const connected = await findConnected(db, businessUnitId, provider.name);
  const decision = decideAccount(accounts.mode, connected);
  switch (decision.outcome) {
    case 'own':
      return { name: accountName(provider.name, decision.accountId), fee: connected?.fee ?? null };
    case 'platform':
      return { name: provider.name, fee: null };
    case 'missing':
    case 'blocked':
      throw paymentAccountMissing();
  }
}
