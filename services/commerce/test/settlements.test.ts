import { randomId } from '@event-api/platform/core/ids';
import { createLogger } from '@event-api/platform/core/log';
import { createServiceClient } from '@event-api/platform/http/service-client';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { createTelemetry } from '@event-api/platform/telemetry/telemetry';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { eventually } from '@event-api/platform/testing/eventually';
import { beforeEach, expect, test } from 'vitest';
import { createPaymentReceiver } from '../src/checkout/receive-payment.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { platformAccount } from '../src/payments/accounts/provider-of.ts';
import type { PaymentNotification } from '../src/payments/providers/provider.ts';
import { createSandboxProvider } from '../src/payments/providers/sandbox.ts';
import { startSweep } from '../src/recovery/sweep.job.ts';
import { sweepUnfinished } from '../src/recovery/sweep.ts';
import { recordSettlement } from '../src/settlements/record.ts';
import { database, db, useDatabase } from './context.ts';

/** No process listens on this port. */
const nowhere = 'http://127.0.0.1:2';

useDatabase();
beforeEach(() => database.sql('truncate commerce.settlement, commerce.refund'));

/** Dependencies of the jobs, with an unavailable provider and an unavailable registration. */
async function jobs() {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'commerce', level: 'warn', destination });
  const metrics = createMetrics('commerce');
  const callers = await createTestCallers(['commerce']);
  const deps = {
    db,
    log,
    metrics: createCommerceMetrics(metrics),
    accounts: platformAccount,
    provider: createSandboxProvider({ url: nowhere, secrets: ['not-to-be-logged'] }),
    registration: createServiceClient({ url: nowhere, signer: await callers.signer('commerce') }),
    telemetry: await createTelemetry({
      service: 'commerce',
      log,
      settings: { TELEMETRY_SAMPLE_RATIO: 0 },
    }),
    sessionExpiryLeadMs: 0,
  };
  return {
    deps,
    lines,
    logged: () => lines.map((line) => JSON.parse(line)),
    processed: async () =>
      /commerce_settlements_processed_total\{.*outcome="(\w+)".*\} 1$/m.exec(
        await metrics.text(),
      )?.[1],
  };
}

const notificationOf = (fields: { amount?: number; livemode?: boolean }): PaymentNotification => ({
  notificationId: randomId('evt'),
  kind: 'paid',
  sessionId: randomId('ses'),
  orderId: null,
  attemptId: null,
  livemode: fields.livemode ?? false,
  payment: { paymentId: randomId('pay'), amount: fields.amount ?? 500, currency: 'EUR' },
});

test.each([
  ['of amount 0', { amount: 0 }, 'unusable', 'zero_amount'],
  ['of live mode in test mode', { livemode: true }, 'unusable', 'livemode_mismatch'],
  ['of an unknown session', {}, 'unmatched', 'unknown_session'],
])(
  'closes a settlement %s once, with its reason, a counter and an alarm',
  async (_, fields, state, reason) => {
    await recordSettlement(db, 'sandbox', notificationOf(fields));
    const { deps, logged, processed } = await jobs();
    expect(await sweepUnfinished(deps, 0)).toEqual({ retried: 1, failed: [] });
    expect(await sweepUnfinished(deps, 0)).toEqual({ retried: 0, failed: [] });
    const rows = await database.sql('select state, reason, order_id from commerce.settlement');
    expect(rows).toEqual([{ state, reason, order_id: null }]);
    expect(await processed()).toBe(state);
    expect(logged()).toMatchObject([
      { level: 'error', alarm: 'settlement_unusable', state, reason, msg: expect.any(String) },
    ]);
  },
);

test('applies a reported payment once in the process that received it, without the sweep', async () => {
  const { deps } = await jobs();
  const payments = createPaymentReceiver(deps);
  const notification = notificationOf({});
  const receive = () => payments.receive(notification, 'sandbox');
  await Promise.all([receive(), receive()]);
  await payments.stop();
  const rows = await database.sql('select state, reason from commerce.settlement');
  expect(rows).toEqual([{ state: 'unmatched', reason: 'unknown_session' }]);
  expect(await sweepUnfinished(deps, 0)).toEqual({ retried: 0, failed: [] });
});

test('leaves a payment that cannot be applied to the sweep, and logs why', async () => {
  const { deps, logged } = await jobs();
  let queries = 0;
  // The payment is recorded, and then the database does not respond any more.
  const query: typeof db.query = async (...args) => {
    queries += 1;
    if (queries > 1) throw new Error('the database is away');
    return db.query(...args);
  };
  const payments = createPaymentReceiver({ ...deps, db: { ...db, query } });
  await payments.receive(notificationOf({}), 'sandbox');
  await payments.stop();
  expect(logged()).toMatchObject([
    {
      level: 'warn',
      reason: 'the database is away',
      msg: 'failed to apply payment, will retry',
    },
  ]);
  expect(await sweepUnfinished(deps, 0)).toEqual({ retried: 1, failed: [] });
});

test('logs why a step failed, without credentials or personal data', async () => {
  const settlementId = randomId('stl');
  await database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
       currency, state, received_at, last_attempt_at)
     values ($1, 'sandbox', $1, 'pi_1', 'cs_1', 5, 'EUR', 'surplus', now(), now())`,
    [settlementId],
  );
  await database.sql(
    `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
       cause, reason, created_at, last_attempt_at)
     values ('rfd_1', 'u', 'e', 'o', $1, 5, 'EUR', 'pending', 'surplus', 'for ada@example.com', now(), to_timestamp(0))`,
    [settlementId],
  );
  const { deps, lines, logged } = await jobs();
  const job = startSweep(deps, { intervalMs: 10, minIdleMs: 0 });
  await eventually(() => expect(lines).not.toEqual([]));
  await job.stop();
  expect(logged()[0]).toMatchObject({
    level: 'warn',
    id: 'rfd_1',
    step: 'send refund',
    reason: expect.stringContaining('ECONNREFUSED'),
    msg: 'failed to finish a step, will retry',
  });
  expect(lines.join()).not.toMatch(/ada@example|not-to-be-logged/);
});

test('logs once that no step can be read while the database is unavailable', async () => {
  const { deps, lines, logged } = await jobs();
  let attempts = 0;
  const query = async () => {
    attempts += 1;
    throw new Error('the database is away');
  };
  const job = startSweep({ ...deps, db: { ...deps.db, query } }, { intervalMs: 1, minIdleMs: 0 });
  await eventually(() => expect(attempts).toBeGreaterThan(50));
  await job.stop();
  expect(lines).toHaveLength(1);
  expect(logged()[0]).toMatchObject({
    level: 'warn',
    reason: 'the database is away',
    msg: 'failed to read unfinished steps, will retry',
  });
});
