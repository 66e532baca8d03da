import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSandbox } from '@event-api/payment-sandbox/app';
import { openSessions, type Sessions } from '@event-api/payment-sandbox/sessions';
import { systemClock } from '@event-api/platform/core/clock';
import { newId, randomId } from '@event-api/platform/core/ids';
import { createLogger } from '@event-api/platform/core/log';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommerceMetrics } from '../src/metrics.ts';
import { platformAccount } from '../src/payments/accounts/provider-of.ts';
import { createSandboxProvider } from '../src/payments/providers/sandbox.ts';
import { refundOrder } from '../src/refunds/refund-order.ts';
import { findRefundsOfOrder } from '../src/refunds/refunds.queries.ts';
import type { RefundDeps } from '../src/refunds/send.ts';
import { sendDueRefund } from '../src/refunds/send-due.ts';
import { database, db, useDatabase } from './context.ts';

const secrets = ['the-secret-of-the-sandbox'];
const folder = mkdtempSync(join(tmpdir(), 'event-api-due-refunds-'));
const log = createLogger({ service: 'test', level: 'silent' });
let sessions: Sessions;
let sandbox: ReturnType<typeof buildSandbox>;
let deps: RefundDeps;

useDatabase();
beforeAll(async () => {
  sessions = openSessions(join(folder, 'sessions.jsonl'));
  sandbox = buildSandbox({
    ...{ sessions, secrets, log, publicUrl: 'http://localhost:8090', now: () => systemClock.now() },
    notifier: { notify: () => {}, close: async () => {} },
  });
  const url = await sandbox.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' });
  const metrics = createCommerceMetrics(createMetrics('commerce'));
  const provider = createSandboxProvider({ url, secrets });
  // A refund of a second payment revokes nothing.
  deps = { db, log, provider, accounts: platformAccount, metrics } as unknown as RefundDeps;
});
afterAll(async () => {
  await sandbox?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A payment at the sandbox. */
function paid(orderId: string) {
  const session = sessions.create({
    ...{ attemptId: randomId('pay'), orderId, orderNumber: 'ORD-12345678', amount: 1000 },
    ...{ currency: 'EUR', email: 'ada@example.com', title: 'Summit' },
    ...{ successUrl: 'https://shop.example', cancelUrl: 'https://shop.example' },
    expiresAt: '2999-01-01T00:00:00Z',
  });
  return sessions.pay(session, { amount: 1000, currency: 'EUR' });
}

/** An order that was paid twice, with a refund that is due. */
async function paidTwice() {
  const [orderId, settlementId] = [randomId('ord'), randomId('stl')];
  const scope = { businessUnitId: newId('unit'), eventId: newId('evt') };
  const values = [orderId, scope.businessUnitId, scope.eventId];
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, settlement_id, hold_expires_at, placed_at, paid_at, last_attempt_at)
     values ($1, $2, $3, $1, 'ada@example.com', 'paid', 'EUR', 1000, '[]', '{}', $1, now(), now(), now(), now())`,
    values,
  );
  await database.sql(
    `insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount,
       discount_amount, total_amount, attendees, first_seat, seat_count, registration_ids)
     values ($1, 0, 'addon', 'addon_1', 'Dinner', 1, 1000, 0, 1000, '[]', 0, 0, '{}')`,
    [orderId],
  );
  const second = paid(orderId);
  for (const [id, session, state] of [
    [orderId, paid(orderId), 'accepted'],
    [settlementId, second, 'surplus'],
  ] as const) {
    await database.sql(
      `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, order_id,
         amount, currency, state, received_at, last_attempt_at)
       values ($1, 'sandbox', $1, $2, $3, $4, 1000, 'EUR', $5, now(), now())`,
      [id, session.paymentId, session.id, orderId, state],
    );
  }
  await database.sql(
    `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
       cause, created_at, last_attempt_at, send_at) values ($4, $2, $3, $1, $5, 1000, 'EUR', 'due', 'surplus', now(), now(), now())`,
    [...values, randomId('rfd'), settlementId],
  );
  const [due] = await findRefundsOfOrder(db, orderId);
  if (!due) throw new Error('nothing is due');
  return { scope, orderId, due, second };
}

test.each(Array.from({ length: 5 }, (_, n) => n))(
  'replicas and an operator who have read the same due refund send it once, race %i',
  async () => {
    const { scope, orderId, due, second } = await paidTwice();
    const request = { extent: 'onlyDue', force: false } as const;
    const byOperator = () => refundOrder(deps, scope, { orderId, reason: null, request });
    const results = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => sendDueRefund(deps, due).then(() => 'job')),
      ...Array.from({ length: 2 }, () => byOperator().then(() => 'operator')),
    ]);
    const operators = results.filter(
      (result) => result.status === 'fulfilled' && result.value === 'operator',
    );
    const entries = await database.sql(
      `select from commerce.audit_entry where $1 = any(records) and actor_type = 'system'`,
      [due.id],
    );
    expect(operators.length + entries.length).toBe(1);
    expect(await findRefundsOfOrder(db, orderId)).toMatchObject([{ state: 'done', amount: 1000 }]);
    expect(sessions.leftOf(second)).toBe(0);
    // A job that has read the refund long before finds it done.
    await sendDueRefund(deps, due);
    expect(await findRefundsOfOrder(db, orderId)).toMatchObject([{ state: 'done' }]);
  },
);
