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
  | { outcome: 'missing' };

/** Decides on which account a unit opens its next payment. */
export function decideAccount(mode: AccountMode, connectedId: string | null): AccountDecision {
  if (connectedId !== null) return { outcome: 'own', accountId: connectedId };
  return { outcome: mode === 'unit' ? 'missing' : 'platform' };
}

/** What the provider says about the owner of a key. */
export interface VerifiedKey {
  providerAccountId: string;
  canCharge: boolean;
  /** What the provider needs before the account can be charged, in its words. */
  missing: readonly string[];
}

export type KeyDecision = { outcome: 'accepted' } | { outcome: 'refused'; message: string };

/** Decides whether the key of a unit is stored. `ownerId` is the unit that has the account. */
export function decideKey(
  verified: VerifiedKey,
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

const refused = (message: string): KeyDecision => ({ outcome: 'refused', message });
