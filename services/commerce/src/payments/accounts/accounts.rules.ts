/**
 * The account of a payment, as its column `provider` names it: `stripe` for the account of the
 * platform, `stripe/pac_…` for one of a business unit. Sessions, settlements, declines and refunds
 * are identified within their account, so that no account can report about another one's payment.
 */
export const accountName = (provider: string, accountId: string): string =>
  `${provider}/${accountId}`;

/** The id of the account in such a name; null for the account of the platform. */
export const accountIdOf = (name: string): string | null => name.split('/')[1] ?? null;

/** Whether business units share the account of the platform unless they have their own. */
export type AccountMode = 'platform' | 'unit';

export type AccountDecision =
  | { outcome: 'platform' }
  | { outcome: 'own'; accountId: string }
  /** The unit needs an account of its own to sell. */
  | { outcome: 'missing' }
  /** The provider does not accept payments for the account of the unit any more. */
  | { outcome: 'blocked' };

/**
 * Decides on which account a unit opens its next payment. The money of a unit that has an account
 * never goes to the platform instead.
 */
export function decideAccount(
  mode: AccountMode,
  connected: { id: string; canCharge: boolean } | null,
): AccountDecision {
  if (connected === null) return { outcome: mode === 'unit' ? 'missing' : 'platform' };
  return connected.canCharge ? { outcome: 'own', accountId: connected.id } : { outcome: 'blocked' };
}

/** What the provider says about an account. */
export interface VerifiedAccount {
  providerAccountId: string;
  canCharge: boolean;
  /** What the provider needs before the account can be charged, in its words. */
  missing: readonly string[];
}

export type KeyDecision = { outcome: 'accepted' } | { outcome: 'refused'; message: string };

/** Decides whether the key of a unit is stored. `ownerId` is the unit that has the account. */
export function decideKey(
  verified: VerifiedAccount,
  unitId: string,
  ownerId: string | null,
): KeyDecision {
  if (ownerId !== null && ownerId !== unitId) {
    return refused('The account of this key belongs to another business unit.');
  }
  if (verified.canCharge) return { outcome: 'accepted' };
  const missing = verified.missing.length > 0 ? ` It needs: ${verified.missing.join(', ')}.` : '';
  return refused(
    `The provider does not accept payments for the account of this key yet.${missing}`,
  );
}

export type RefreshDecision =
  /** It can be charged for the first time: new payments of the unit are opened on it. */
  { outcome: 'connect' } | { outcome: 'update'; canCharge: boolean } | { outcome: 'unchanged' };

/**
 * Decides what becomes of an account that the provider was asked about at `askedAt`. A slower call
 * that was made before another one changes nothing.
 */
export function decideRefresh(
  account: AccountState,
  canCharge: boolean,
  askedAt: Date,
): RefreshDecision {
  if (account.disconnectedAt !== null || account.checkedAt >= askedAt) {
    return { outcome: 'unchanged' };
  }
  if (account.connectedAt === null) return { outcome: canCharge ? 'connect' : 'unchanged' };
  return account.canCharge === canCharge
    ? { outcome: 'unchanged' }
    : { outcome: 'update', canCharge };
}

/** What is stored about an account. */
export interface AccountState {
  canCharge: boolean;
  /** Null while its owner has not entered all that the provider needs. */
  connectedAt: Date | null;
  disconnectedAt: Date | null;
  checkedAt: Date;
}

const refused = (message: string): KeyDecision => ({ outcome: 'refused', message });
