import { systemClock } from '@event-api/platform/core/clock';
import {
  type AccountRow,
  disconnectAccount,
  findAccount,
  lockAccountsOfUnit,
  writeCheckedAccount,
} from './accounts.queries.ts';
import { decideRefresh, type RefreshDecision } from './accounts.rules.ts';
import { onAccount } from './provider-of.ts';
import type { AccountCommandDeps } from './set-key.ts';

/** What the provider says about an account now, and what the platform has made of it. */
export interface RefreshedAccount {
  canCharge: boolean;
  missing: string[];
  decision: RefreshDecision['outcome'];
}

/**
 * Asks the provider whether an account can be charged, and stores it. An account that can be charged
 * for the first time takes the place of the one that the unit has. Safe to repeat and to run in
 * parallel. Errors: 503. Locks: the accounts of the unit, but not during the call.
 */
export async function refreshAccount(
  deps: AccountCommandDeps,
  account: AccountRow,
): Promise<RefreshedAccount> {
  const { db, provider } = deps;
  const { id, businessUnitId } = account;
  const askedAt = systemClock.now();
  const verified = await onAccount(deps, account).verifyAccount();
  const canCharge = verified.outcome === 'verified' && verified.canCharge;
  const missing = verified.outcome === 'verified' ? verified.missing : ['access'];
  const decision = await db.transaction(async (tx) => {
    await lockAccountsOfUnit(tx, businessUnitId);
    const current = await findAccount(tx, id);
    const decision = decideRefresh(current ?? account, canCharge, askedAt);
    if (decision.outcome === 'unchanged') return decision;
    const isConnected = decision.outcome === 'connect';
    if (isConnected) await disconnectAccount(tx, businessUnitId, provider.name, id);
    await writeCheckedAccount(tx, id, { canCharge, checkedAt: askedAt, isConnected });
    return decision;
  });
  return { canCharge, missing, decision: decision.outcome };
}
