import type { Cell } from '@event-api/contracts/cells';
import type { Loop } from '@event-api/platform/core/every';
import { readKeyRing } from '@event-api/platform/core/key-ring';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import type { ServiceDefinition } from '@event-api/platform/service/run-service';
import { startCancellations } from './cancellations/cancellations.job.ts';
import { cancellationRoutes } from './cancellations/cancellations.routes.operator.ts';
import { changeRoutes } from './changes/changes.routes.ts';
import { checkoutRoutes } from './checkout/checkout.routes.ts';
import { notificationRoutes } from './checkout/payment-notifications.routes.ts';
import { createPaymentReceiver, type PaymentReceiver } from './checkout/receive-payment.ts';
import { claimRoutes } from './claims/claims.routes.ts';
import { type CommerceSettings, config } from './config.ts';
import { startClosing } from './ledger/closing.job.ts';
import { ledgerRoutes } from './ledger/ledger.routes.operator.ts';
import { type LedgerSigner, readLedgerSigner } from './ledger/signing-key.ts';
import { createCommerceMetrics } from './metrics.ts';
import { orderOperatorRoutes } from './orders/orders.routes.operator.ts';
import { orderRoutes } from './orders/orders.routes.ts';
import { commerceOrm } from './orm.ts';
import { paymentAccountRoutes } from './payments/accounts/accounts.routes.operator.ts';
import { createPaymentProvider } from './payments/providers/create-provider.ts';
import { personRoutes } from './persons/persons.routes.operator.ts';
import { addonProjection } from './projections/addon.projection.ts';
import { bundleProjection } from './projections/bundle.projection.ts';
import { eventProjection } from './projections/event.projection.ts';
import { registrationProjection } from './projections/registration.projection.ts';
import { ticketTypeProjection } from './projections/ticket-type.projection.ts';
import { startReconciliation } from './reconciliation/reconciliation.job.ts';
import { providerReconciliationRoutes } from './reconciliation/reconciliation.routes.operator.ts';
import { observeMoney } from './recovery/metrics.job.ts';
import { reconciliationRoutes } from './recovery/recovery.routes.operator.ts';
import { startSweep } from './recovery/sweep.job.ts';
import type { SweepDeps } from './recovery/sweep.ts';
import { refundRoutes } from './refunds/refunds.routes.operator.ts';
import { salesRoutes } from './sales/sales.routes.operator.ts';
import { searchRoutes } from './search/search.routes.operator.ts';

export interface CommerceDeps extends SweepDeps {
  catalog: ServiceClient;
  refresher: ProjectionRefresher;
  payments: PaymentReceiver;
  sweep: Loop;
  cancellations: Loop;
  closing: Loop;
  reconciliation: Loop;
  signer: LedgerSigner | null;
  /** The cell that tokens of claim links name. */
  cell: Cell;
}

/** The service that owns orders, payments, settlements and refunds. */
export const commerce: ServiceDefinition<CommerceSettings, CommerceDeps> = {
  name: 'commerce',
  settings: config,
  orm: commerceOrm,
  projections: [
    eventProjection,
    ticketTypeProjection,
    addonProjection,
    bundleProjection,
    registrationProjection,
  ],
  async setup({ settings, client, ...context }) {
    const deps = {
      ...context,
      provider: await createPaymentProvider(settings),
      accounts: {
        mode: settings.PAYMENT_ACCOUNTS,
        keyRing: settings.PAYMENT_SECRETS_KEYS ? readKeyRing(settings.PAYMENT_SECRETS_KEYS) : null,
      },
      signer: settings.LEDGER_SIGNING_KEY ? readLedgerSigner(settings.LEDGER_SIGNING_KEY) : null,
      metrics: createCommerceMetrics(context.telemetry.metrics),
      registration: client('registration'),
      catalog: client('catalog'),
      cell: settings.CELL ?? null,
      sessionExpiryLeadMs: settings.SESSION_EXPIRY_LEAD_MS,
    };
    const sweep = startSweep(deps, {
      intervalMs: settings.RETRY_INTERVAL_MS,
      minIdleMs: settings.RETRY_MIN_IDLE_MS,
    });
    const cancellations = startCancellations(deps, settings.RETRY_INTERVAL_MS);
    const closing = startClosing(deps);
    const reconciliation = startReconciliation(deps);
    const payments = createPaymentReceiver(deps);
    return { ...deps, payments, sweep, cancellations, closing, reconciliation };
  },
  jobs: (
    { payments, sweep, cancellations, closing, reconciliation, db, provider, log, telemetry },
    settings,
  ) => [
    payments,
    sweep,
    cancellations,
    closing,
    reconciliation,
    observeMoney({
      db,
      provider: provider.name,
      log,
      metrics: telemetry.metrics,
      intervalMs: settings.METRICS_INTERVAL_MS,
    }),
  ],
  routes(api, deps) {
    orderRoutes(api, deps);
    checkoutRoutes(api, deps);
    changeRoutes(api, deps);
    claimRoutes(api, deps);
    // In a scope of their own: their bodies are read as bytes, for the signature.
    api.register(async (inner) => notificationRoutes(inner, deps));
  },
  internalRoutes(internal, deps) {
    orderOperatorRoutes(internal, deps);
    refundRoutes(internal, deps);
    personRoutes(internal, deps);
    searchRoutes(internal, deps);
    reconciliationRoutes(internal, deps);
    salesRoutes(internal, deps);
    ledgerRoutes(internal, deps);
    providerReconciliationRoutes(internal, deps);
    paymentAccountRoutes(internal, deps);
    cancellationRoutes(internal, deps);
  },
};
