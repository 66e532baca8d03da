import { recordAudit } from '@event-api/platform/audit/write';
import { newId } from '@event-api/platform/core/ids';
import { reachStep } from '@event-api/platform/core/steps';
import { paymentAccountRefused } from '../../errors.ts';
import {
  type AccountRow,
  findAccount,
  insertStartedAccount,
  listAccounts,
  lockAccountsOfUnit,
  writeProviderAccountId,
} from './accounts.queries.ts';
import { refreshAccount } from './refresh.ts';
import type { AccountCommandDeps } from './set-key.ts';

/**
 * Connects an account of a unit to the account of the platform: creates it at the provider and
 * returns the page on which its owner enters what the provider needs, or null if it needs nothing.
 * New payments are opened on it as soon as it can be charged; until then the unit keeps the account
 * that it has. A repetition goes on with the same account, also after a kill.
 * Errors: 412 `PAYMENT_ACCOUNT_REFUSED`; 503. Locks: the accounts of the unit, but not during a call.
 */
export async function connectAccount(
  deps: AccountCommandDeps,
  { businessUnitId, returnUrl }: { businessUnitId: string; returnUrl: string },
): Promise<string | null> {
  const started = await startAccount(deps, businessUnitId);
  reachStep('payment_account.started');
  const account = await createAtProvider(deps, started);
  const missing = await refreshAccount(deps, account);
  return missing.length === 0
    ? null
    : deps.provider.onboardingUrl(account.providerAccountId, returnUrl);
}

/** The account that the unit sets up or has connected; a new one if it has neither. */
async function startAccount(
  { db, provider }: AccountCommandDeps,
  businessUnitId: string,
): Promise<AccountRow> {
  const id = newId('pac');
  return db.transaction(async (tx) => {
    await lockAccountsOfUnit(tx, businessUnitId);
    const accounts = await listAccounts(tx, businessUnitId, provider.name);
    const connected = accounts.filter(
      ({ disconnectedAt, secretKey }) => disconnectedAt === null && secretKey === null,
    );
    const existing = connected.find(({ connectedAt }) => connectedAt === null) ?? connected[0];
    recordAudit(tx, { records: [businessUnitId, existing?.id ?? id] });
    if (existing) return existing;
    return insertStartedAccount(tx, { id, businessUnitId, provider: provider.name });
  });
}

async function createAtProvider(
  { db, provider }: AccountCommandDeps,
  account: AccountRow,
): Promise<AccountRow & { providerAccountId: string }> {
  const { id, providerAccountId } = account;
  if (providerAccountId !== null) return { ...account, providerAccountId };
  const created = await provider.createAccount(id);
  if (created.outcome === 'refused') throw paymentAccountRefused(created.message);
  reachStep('payment_account.created');
  await writeProviderAccountId(db, id, created.providerAccountId);
  const stored = await findAccount(db, id);
  return {
    ...account,
    providerAccountId: stored?.providerAccountId ?? created.providerAccountId,
  };
}
