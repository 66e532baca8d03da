import { unitNotificationPath } from '@event-api/contracts/internal/notifications';
import * as operations from '@event-api/contracts/operator/payment-accounts';
import { auditInParts, recordAudit } from '@event-api/platform/audit/write';
import type { HttpServer } from '@event-api/platform/http/server';
import { readFee, writeFee } from '../fees/fees.queries.ts';
import { type AccountRow, listAccounts } from './accounts.queries.ts';
import { decideAccount } from './accounts.rules.ts';
import { connectAccount } from './connect.ts';
import { reencryptAccounts } from './reencrypt.ts';
import { askProvider } from './refresh.ts';
import { type AccountCommandDeps, disconnectAccountOf, setAccountKey } from './set-key.ts';

export function paymentAccountRoutes(app: HttpServer, deps: AccountCommandDeps): void {
  app.route({
    ...operations.getPaymentAccount,
    handler: ({ body }) => accountView(deps, body.businessUnitId),
  });

  app.route({
    ...operations.setPaymentAccountKey,
    handler: async ({ body }) => {
      await setAccountKey(deps, body);
      return accountView(deps, body.businessUnitId);
    },
  });

  app.route({
    ...operations.connectPaymentAccount,
    handler: async ({ body }) => {
      const onboardingUrl = await connectAccount(deps, body);
      return { ...(await accountView(deps, body.businessUnitId)), onboardingUrl };
    },
  });

  app.route({
    ...operations.setPaymentAccountFee,
    handler: async ({ body }) => {
      const { businessUnitId } = body;
      await deps.db.transaction(async (tx) => {
        const isChanged = await writeFee(tx, businessUnitId, body);
        recordAudit(tx, { records: [businessUnitId], result: isChanged ? 'done' : 'unchanged' });
      });
      return body;
    },
  });

  app.route({
    ...operations.disconnectPaymentAccount,
    handler: async ({ body: { businessUnitId } }) => {
      await disconnectAccountOf(deps, businessUnitId);
      return accountView(deps, businessUnitId);
    },
  });

  app.route({
    ...operations.reencryptPaymentAccounts,
    handler: () => auditInParts(deps.db, () => reencryptAccounts(deps.db, deps.accounts.keyRing)),
  });
}

/** The accounts of a unit, with what the provider says about them now. Errors: 503. */
async function accountView(deps: AccountCommandDeps, businessUnitId: string) {
  const { db, provider, accounts } = deps;
  const present = (await listAccounts(db, businessUnitId, provider.name)).filter(
    ({ disconnectedAt }) => disconnectedAt === null,
  );
  const connected = present.find(({ connectedAt }) => connectedAt !== null);
  const started = present.find(({ connectedAt }) => connectedAt === null);
  const { outcome } = decideAccount(accounts.mode, connected ?? null);
  const account = outcome === 'blocked' ? 'own' : outcome;
  const notificationPath = unitNotificationPath
    .replace(':provider', provider.name)
    .replace(':businessUnitId', businessUnitId);
  return {
    ...{ businessUnitId, account, provider: provider.name, notificationPath },
    ...(connected
      ? await stateOf(deps, connected)
      : { providerAccountId: null, canCharge: account === 'platform', missing: [] }),
    isConnected: connected?.secretKey === null,
    setup: started ? await stateOf(deps, started) : null,
    fee: await readFee(db, businessUnitId),
  };
}

async function stateOf(deps: AccountCommandDeps, account: AccountRow) {
  const { providerAccountId } = account;
  if (providerAccountId === null) return { providerAccountId, canCharge: false, missing: [] };
  return { providerAccountId, ...(await askProvider(deps, account)) };
}
