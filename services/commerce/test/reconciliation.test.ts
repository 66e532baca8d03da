import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSandbox } from '@event-api/payment-sandbox/app';
import { openSessions, type Sessions } from '@event-api/payment-sandbox/sessions';
import { fixedClock } from '@event-api/platform/core/clock';
import { readKeyRing } from '@event-api/platform/core/key-ring';
import { createLogger } from '@event-api/platform/core/log';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDays } from '../src/ledger/close-days.ts';
import { setAccountKey } from '../src/payments/accounts/set-key.ts';
import { createSandboxProvider } from '../src/payments/providers/sandbox.ts';
import { reconcileDueDays } from '../src/reconciliation/reconciliation.job.ts';
import {
  listReconciliations,
  readReconciliationStats,
} from '../src/reconciliation/reconciliation.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const folder = mkdtempSync(join(tmpdir(), 'reconciliation-'));
let at = '2026-03-01T12:00:00Z';
let sessions: Sessions;
let url = '';
let sandbox: ReturnType<typeof buildSandbox>;

beforeAll(async () => {
  const now = () => new Date(at);
  sessions = openSessions(join(folder, 'sessions.jsonl'), { now });
  sandbox = buildSandbox({
    sessions,
    notifier: { notify: () => {}, close: async () => {} },
    secrets: ['secret-of-the-sandbox'],
    publicUrl: 'http://localhost:8090',
    now,
    log: createLogger({ service: 'sandbox', level: 'silent' }),
  });
  url = await sandbox.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

let day = 0;
/** Each test has days of its own: the sandbox has no way to forget. */
beforeEach(async () => {
  await database.sql(
    'truncate commerce.journal_entry, commerce.journal_day, commerce.journal_digest, commerce.reconciliation, commerce.dispute, commerce.refund, commerce.settlement, commerce.payment_account, commerce.customer_order',
  );
  day += 10;
});
const dayAt = (offset: number, time = '12:00:00Z') =>
  `${new Date(Date.UTC(2026, 2, day + offset)).toISOString().slice(0, 10)}T${time}`;
const dayOf = (offset: number) => dayAt(offset).slice(0, 10);

/** A payment that the sandbox has received, on the account of a key or that of the platform. */
function pay(
  when: string,
  amount = 1000,
  accountKey?: string,
): { id: string; session: Parameters<Sessions['disputeOf']>[0] } {
  at = when;
  const attemptId = `att_${when}_${amount}_${accountKey ?? ''}_${Math.random()}`;
  const created = sessions.create(
    {
      ...{ attemptId, orderId: 'ord_1', orderNumber: 'ORD-1', amount, currency: 'EUR' },
      ...{ email: 'a@example.com', title: 'Summit', successUrl: 'http://a', cancelUrl: 'http://a' },
      expiresAt: '2030-01-01T00:00:00Z',
    },
    accountKey === undefined ? {} : { accountKey },
  );
  const session = sessions.pay(created, { amount, currency: 'EUR' });
  return { id: session.paymentId ?? '', session };
}

const post = (cause: string, causeId: string, when: string, amount: number, currency = 'EUR') =>
  database.sql(
    `insert into commerce.journal_entry (business_unit_id, event_id, order_id, cause, cause_id, debit, credit, amount, currency, posted_at)
     values ('unit_1', 'evt_1', 'ord_1', $1, $2, 'provider', 'sales', $4, $5, $3)`,
    [cause, causeId, when, amount, currency],
  );

/** A settlement, posted at another time than now. */
async function receive(
  paymentId: string,
  when: string,
  { amount = 1000, currency = 'EUR', provider = 'sandbox' } = {},
): Promise<void> {
  await database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
       currency, state, received_at, last_attempt_at)
     values ($1, $2, $1, $1, $1, $3, $4, 'received', now(), now())`,
    [paymentId, provider, amount, currency],
  );
  await post('charge', paymentId, when, amount, currency);
}

const deps = () => ({
  db,
  provider: createSandboxProvider({ url, secrets: ['secret-of-the-sandbox'] }),
  accounts: {
    mode: 'platform' as const,
    keyRing: readKeyRing([Buffer.alloc(32, 1).toString('base64url')]),
  },
});

/** Closes all days until the third one after those of the test, and reconciles them. */
async function reconcile({
  provider = deps().provider,
  errors = [] as unknown[],
} = {}): Promise<string[]> {
  const now = new Date(dayAt(4));
  await closeDays({ db, signer: null }, now);
  const signal = new AbortController().signal;
  await reconcileDueDays({ ...deps(), provider, clock: fixedClock(now) }, signal, (error) =>
    errors.push(error),
  );
  return found();
}
const found = async () =>
  (await listReconciliations(db, { onlyDifferent: false }, null, 100))
    .toReversed()
    .flatMap(({ provider, day: of, listed }) =>
      listed.map(
        ({ kind, objectId, difference, here, there }) =>
          `${provider} ${of} ${kind} ${objectId} ${difference} ${here?.amount ?? '-'} ${there?.amount ?? '-'}`,
      ),
    );

test('finds no difference between equal movements, also around midnight and days late', async () => {
  const [first, second, late] = [
    pay(dayAt(0)),
    pay(dayAt(0, '23:59:59Z')),
    pay(dayAt(0, '08:00:00Z')),
  ];
  await receive(first.id, dayAt(0));
  await receive(second.id, dayAt(1, '00:00:01Z'));
  await receive(late.id, dayAt(2));
  expect(await reconcile()).toEqual([]);
  const rows = await listReconciliations(db, { onlyDifferent: false }, null, 100);
  expect(rows.map((row) => [row.day, row.compared])).toEqual([
    [dayOf(2), 1],
    [dayOf(1), 1],
    [dayOf(0), 3],
  ]);
});

test('lists what one side lacks, and what differs in amount or currency', async () => {
  const lost = pay(dayAt(0, '09:00:00Z'), 700);
  const wrong = pay(dayAt(0, '10:00:00Z'));
  const foreign = pay(dayAt(0, '11:00:00Z'));
  await receive(wrong.id, dayAt(0), { amount: 999 });
  await receive(foreign.id, dayAt(0), { currency: 'JPY' });
  await receive('pi_invented', dayAt(0), { amount: 5 });
  expect((await reconcile()).sort()).toEqual(
    [
      `sandbox ${dayOf(0)} charge ${lost.id} missing_here - 700`,
      `sandbox ${dayOf(0)} charge ${wrong.id} other_amount 999 1000`,
      `sandbox ${dayOf(0)} charge ${foreign.id} other_currency 1000 1000`,
      `sandbox ${dayOf(0)} charge pi_invented missing_there 5 -`,
    ].sort(),
  );
  expect(await listReconciliations(db, { onlyDifferent: true }, null, 100)).toHaveLength(1);
  const listed = (await listReconciliations(db, { onlyDifferent: true }, null, 1))[0]?.listed;
  expect(listed?.find(({ objectId }) => objectId === wrong.id)).toMatchObject({
    orderId: 'ord_1',
    businessUnitId: 'unit_1',
  });
});

test('compares refunds that fail later, and disputes that are won', async () => {
  const { id, session } = pay(dayAt(0));
  await receive(id, dayAt(0));
  const refund = sessions.refund({ refundId: null, paymentId: id, amount: 100, fails: true });
  const dispute = {
    ...{ paymentId: id, amount: 400, respondBy: dayAt(9), createdAt: dayAt(0) },
    status: 'needs_response' as const,
  };
  const { id: disputeId } = sessions.dispute(dispute);
  await database.sql(
    `insert into commerce.dispute (provider, provider_dispute_id, provider_payment_id, amount, currency, status, created_at, reported_at, received_at)
     values ('sandbox', $1, $2, 400, 'EUR', 'won', now(), now(), now())`,
    [disputeId, id],
  );
  await post('dispute', disputeId, dayAt(0), 400);
  at = dayAt(1);
  sessions.dispute({ ...dispute, ...sessions.disputeOf(session), status: 'won' });
  // The refund that failed at once is in no journal; the return of the dispute should be.
  expect(await reconcile()).toEqual([
    `sandbox ${dayOf(1)} dispute_returned ${disputeId} missing_here - 400`,
  ]);
  expect(refund.fails).toBe(true);
});

test('reads every page of a day, and stops when older movements do not matter', async () => {
  const payments = Array.from({ length: 230 }, (_, index) => pay(dayAt(0), index + 1));
  for (const { id, session } of payments) {
    await receive(id, dayAt(0), { amount: session.receivedAmount ?? 0 });
  }
  await post('charge', 'nothing', dayAt(3), 1);
  expect(await reconcile()).toEqual([]);
  const [row] = (await listReconciliations(db, { onlyDifferent: false }, null, 100)).filter(
    (each) => each.day === dayOf(0),
  );
  expect(row?.compared).toBe(230);
});

test('reconciles the own account of a unit apart from that of the platform', async () => {
  const secretKey = 'sandbox_sk_reconciledaccount1';
  at = dayAt(0);
  await setAccountKey(deps(), { businessUnitId: 'unit_1', secretKey, webhookSecret: secretKey });
  await database.sql(`update commerce.payment_account set created_at = $1, connected_at = $1`, [
    dayAt(0),
  ]);
  const [account] = await database.sql<{ name: string }>(
    `select provider || '/' || id as name from commerce.payment_account`,
  );
  const provider = account?.name ?? '';
  const [own, lost] = [pay(dayAt(0), 1000, secretKey), pay(dayAt(0), 30, secretKey)];
  await receive(own.id, dayAt(0), { provider });
  await receive(pay(dayAt(0)).id, dayAt(0));
  expect(await reconcile()).toEqual([
    `${provider} ${dayOf(0)} charge ${lost.id} missing_here - 30`,
  ]);
  const ofUnit = await listReconciliations(
    db,
    { businessUnitId: 'unit_1', onlyDifferent: false },
    null,
    100,
  );
  expect(new Set(ofUnit.map((row) => row.provider))).toEqual(new Set([provider]));
});

test('an unavailable provider stores nothing, and the next run does it', async () => {
  await receive(pay(dayAt(0)).id, dayAt(0));
  const errors: unknown[] = [];
  const down = createSandboxProvider({ url: 'http://127.0.0.1:9', secrets: ['secret'] });
  await reconcile({ provider: down, errors });
  expect(errors).toHaveLength(1);
  expect(await listReconciliations(db, { onlyDifferent: false }, null, 100)).toEqual([]);
  expect(await reconcile()).toEqual([]);
  expect(await listReconciliations(db, { onlyDifferent: false }, null, 100)).not.toEqual([]);
});

test('the metrics count differences of a week, and the age of the last day', async () => {
  expect(await readReconciliationStats(db, 'sandbox')).toEqual({ differences: 0, ageSeconds: 0 });
  await post('charge', 'pi', new Date(Date.now() - 3 * 86_400_000).toISOString(), 1);
  const { ageSeconds } = await readReconciliationStats(db, 'sandbox');
  expect(ageSeconds).toBeGreaterThan(2 * 86_400 - 1);
  expect(ageSeconds).toBeLessThanOrEqual(3 * 86_400);
  await database.sql(
    `insert into commerce.reconciliation values ('sandbox', to_char(now() at time zone 'UTC', 'YYYY-MM-DD'), null, now(), 3, 2, '[]')`,
  );
  expect(await readReconciliationStats(db, 'sandbox')).toEqual({ differences: 2, ageSeconds: 0 });
});
