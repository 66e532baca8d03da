import { systemClock } from '@event-api/platform/core/clock';
import {
  type AccountRow,
  disconnectAccount,
  findAccount,
  lockAccountsOfUnit,
  writeCheckedAccount,
} from './accounts.queries.ts';
import { decideRefresh } from './accounts.rules.ts';
import { onAccount } from './provider-of.ts';
import type { AccountCommandDeps } from './set-key.ts';

/** What the provider says about an account. `missing` is in its words. */
export interface ProviderState {
  canCharge: boolean;
  missing: string[];
}

/** Asks the provider about an account. It lacks `access` if the provider refuses. Errors: 503. */
export async function askProvider(
  deps: AccountCommandDeps,
  account: AccountRow,
): Promise<ProviderState> {
  const verified = await onAccount(deps, account).verifyAccount();
  if (verified.outcome === 'refused') return { canCharge: false, missing: ['access'] };
  const { canCharge, missing } = verified;
  return { canCharge, missing };
}

/**
 * Asks the provider whether an account can be charged, and stores it. An account that can be charged
 * for the first time takes the place of the one that the unit has. Returns what the provider needs.
 * Safe to repeat and to run in parallel. Errors: 503. Locks: the accounts of the unit, but not during
 * the call.
 */
export async function refreshAccount(
  deps: AccountCommandDeps,
  account: AccountRow,
): Promise<string[]> {
  const { db, provider } = deps;
  const { id, businessUnitId } = account;
  const askedAt = systemClock.now();
  const { canCharge, missing } = await askProvider(deps, account);
  await db.transaction(async (tx) => {
    await lockAccountsOfUnit(tx, businessUnitId);
    const current = await findAccount(tx, id);
    const { outcome } = decideRefresh(current ?? account, canCharge, askedAt);
    if (outcome === 'unchanged') return;
    const isConnected = outcome === 'connect';
    if (isConnected) await disconnectAccount(tx, businessUnitId, provider.name, id);
    await writeCheckedAccount(tx, id, { canCharge, checkedAt: askedAt, isConnected });
  });
  return missing;
}
