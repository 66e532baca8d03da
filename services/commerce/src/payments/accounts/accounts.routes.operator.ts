import { unitNotificationPath } from '@event-api/contracts/internal/notifications';
import * as operations from '@event-api/contracts/operator/payment-accounts';
import { auditInParts } from '@event-api/platform/audit/write';
import type { HttpServer } from '@event-api/platform/http/server';
import { listAccounts } from './accounts.queries.ts';
import { decideAccount } from './accounts.rules.ts';
import { onAccount } from './provider-of.ts';
import { reencryptAccounts } from './reencrypt.ts';
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

/** The account of a unit, with what the provider says about it now. Errors: 503. */
async function accountView(deps: AccountCommandDeps, businessUnitId: string) {
  const { db, provider, accounts } = deps;
  const [first] = await listAccounts(db, businessUnitId, provider.name);
  const connected = first?.disconnectedAt === null ? first : null;
  const { outcome: account } = decideAccount(accounts.mode, connected?.id ?? null);
  const notificationPath = unitNotificationPath
    .replace(':provider', provider.name)
    .replace(':businessUnitId', businessUnitId);
  const common = { businessUnitId, account, provider: provider.name, notificationPath };
  if (!connected) {
    return { ...common, providerAccountId: null, canCharge: account === 'platform', missing: [] };
  }
  const verified = await onAccount(deps, connected).verifyKey();
  const { providerAccountId } = connected;
  return verified.outcome === 'refused'
    ? { ...common, providerAccountId, canCharge: false, missing: ['secretKey'] }
    : {
        ...common,
        providerAccountId,
        canCharge: verified.canCharge,
        missing: [...verified.missing],
      };
}
