import { createLogger } from '@event-api/platform/core/log';
import { createServiceClient } from '@event-api/platform/http/service-client';
import { createMetrics } from '@event-api/platform/telemetry/metrics';
import { createTestCallers } from '@event-api/platform/testing/callers';
import { eventually } from '@event-api/platform/testing/eventually';
import { atStep, disableGuard } from '@event-api/platform/testing/switches/switches';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApplyDeps, applySettlement } from '../src/checkout/apply-settlement.ts';
import { closeOrder } from '../src/checkout/close.ts';
import { createCommerceMetrics } from '../src/metrics.ts';
import { platformAccount } from '../src/payments/accounts/provider-of.ts';
import type { ReportedDispute } from '../src/payments/providers/provider.ts';
import { createSandboxProvider } from '../src/payments/providers/sandbox.ts';
import { recordDispute } from '../src/refunds/record-dispute.ts';
import { refundCancelledSeat } from '../src/refunds/refund-cancelled-seat.ts';
import { readSettlement } from '../src/settlements/settlements.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

/** No process listens on this port: nothing is sent, and no seat is fulfilled. */
const nowhere = 'http://127.0.0.1:2';

let deps: ApplyDeps & Parameters<typeof refundCancelledSeat>[0];
beforeAll(async () => {
  const callers = await createTestCallers(['commerce']);
  deps = {
    db,
    log: createLogger({ service: 'commerce', level: 'silent' }),
    metrics: createCommerceMetrics(createMetrics('commerce')),
    accounts: platformAccount,
    provider: createSandboxProvider({ url: nowhere, secrets: ['secret-of-the-sandbox'] }),
    registration: createServiceClient({ url: nowhere, signer: await callers.signer('commerce') }),
  };
});
beforeEach(() =>
  database.sql(
    'truncate commerce.journal_entry, commerce.dispute, commerce.refund, commerce.settlement, commerce.payment, commerce.customer_order, commerce.order_line, commerce.cancelled_seat, commerce.event_projection',
  ),
);

const policy = {
  ...{ text: '', refundableUntil: null, automatic: true },
  bands: [{ daysBeforeStart: 0, until: null, percent: 100, fixedFee: 0, ticketTypeIds: [] }],
};

const seat = {
  email: 'a@example.com',
  name: null,
  ticketTypeId: 'tt_1',
  inBundle: false,
  amount: 1000,
};

/** An order of 1000 for one seat, with the settlement that pays for it. */
async function createOrder(status: string): Promise<void> {
  await database.sql(
    `insert into commerce.customer_order (id, business_unit_id, event_id, order_number, email, status, currency,
       total_amount, seats, addon_ids, hold_expires_at, placed_at, last_attempt_at, version, settlement_id, paid_at, refund_policy)
     values ('ord_1', 'unit_1', 'evt_1', 'ORD-1', 'a@example.com', $1, 'EUR', 1000, $2, '{}', now(), now(), now(), 1,
       'stl_1', case when $1 = 'paid' then now() end, $3)`,
    [status, JSON.stringify([seat]), JSON.stringify(policy)],
  );
  await database.sql(
    `insert into commerce.order_line (order_id, position, item_type, item_id, name, quantity, unit_amount, discount_amount,
       total_amount, attendees, first_seat, seat_count, registration_ids)
     values ('ord_1', 0, 'registration_type', 'tt_1', 'Seat', 1, 1000, 0, 1000, '[{"email":"a@example.com"}]', 0, 1, '{reg_1}')`,
  );
  await receive('stl_1', 'accepted');
}

const receive = (id: string, state: 'accepted' | 'received') =>
  database.sql(
    `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
       currency, state, order_id, received_at, last_attempt_at)
     values ($1, 'sandbox', $1, $1, $1, 1000, 'EUR', $2, case when $2 = 'accepted' then 'ord_1' end, now(), now())`,
    [id, state],
  );

/** A second payment of the order that is not applied yet. */
async function receiveAgain(): Promise<void> {
  await database.sql(
    `insert into commerce.payment (id, business_unit_id, event_id, order_id, provider, state, amount, currency,
       success_url, cancel_url, session_id, created_at, last_attempt_at)
     values ('pay_2', 'unit_1', 'evt_1', 'ord_1', 'sandbox', 'expired', 1000, 'EUR', '', '', 'stl_2', now(), now())`,
  );
  await receive('stl_2', 'received');
}

const report = (paymentId: string, status: ReportedDispute['status'], amount = 1000) =>
  recordDispute(deps, 'sandbox', {
    ...{ disputeId: `dp_${paymentId}`, paymentId, amount, currency: 'EUR', status },
    ...{ livemode: false, reason: 'fraudulent', respondBy: null, createdAt: new Date(0) },
    reportedAt: new Date(status === 'lost' ? 2000 : 1000),
  });

const close = (outcome: 'released' | 'fulfilled') =>
  db.transaction((tx) =>
    closeOrder(
      tx,
      'ord_1',
      outcome === 'released'
        ? { outcome }
        : {
            outcome,
            seats: [{ registrationId: 'reg_1', created: true }],
            addonRegistrationId: null,
          },
      null,
    ),
  );

const statusOf = async () =>
  (await database.sql<{ status: string }>('select status from commerce.customer_order'))[0]?.status;
const refunds = async () =>
  (
    await database.sql<{ state: string; amount: string; settlement_id: string }>(
      'select state, amount, settlement_id from commerce.refund order by created_at, state desc',
    )
  ).map(({ state, amount, settlement_id: of }) => `${of} ${state} ${amount}`);
const balanceOf = async (account: string): Promise<number> =>
  Number(
    (
      await database.sql<{ sum: string }>(
        `select coalesce(sum(case when debit = $1 then amount else -amount end), 0) as sum
         from commerce.journal_entry where $1 in (debit, credit)`,
        [account],
      )
    )[0]?.sum,
  );

describe('a dispute that is lost before its order is fulfilled', () => {
  test('leaves the order to be paid, and an operator to decide about its seats', async () => {
    await createOrder('awaiting_payment');
    await report('stl_1', 'lost');
    await close('fulfilled');
    expect([await statusOf(), await refunds()]).toEqual(['paid', []]);
    expect([await balanceOf('dispute'), await balanceOf('provider')]).toEqual([1000, 0]);
  });

  test.each([
    [1000, 'refunded', ['stl_1 withdrawn 1000'], 0],
    [400, 'refund_due', ['stl_1 withdrawn 1000', 'stl_1 due 600'], -600],
  ])('of %d makes nothing due twice if the seats are gone', async (amount, status, owed, left) => {
    await createOrder('awaiting_payment');
    await report('stl_1', 'lost', amount);
    await close('released');
    expect([await statusOf(), await refunds()]).toEqual([status, owed]);
    expect(await balanceOf('refunds_due')).toBe(left);
  });

  test.each([1, 2, 3, 4, 5, 6])('or meanwhile makes nothing due twice, race %i', async () => {
    await createOrder('awaiting_payment');
    await Promise.all([report('stl_1', 'lost'), close('released')]);
    expect([await statusOf(), await refunds()]).toEqual(['refunded', ['stl_1 withdrawn 1000']]);
    expect(await balanceOf('refunds_due')).toBe(0);
  });
});

const applyAgain = async () => applySettlement(deps, await readSettlement(db, 'stl_2'));

describe('a dispute and a second payment', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'at once: a lost dispute of either payment withdraws the refund of that one only, race %i',
    async (round) => {
      await createOrder('paid');
      await receiveAgain();
      const disputed = round % 2 === 0 ? 'stl_1' : 'stl_2';
      await Promise.all([report(disputed, 'lost'), applyAgain()]);
      const state = disputed === 'stl_2' ? 'withdrawn' : 'due';
      expect([await statusOf(), await refunds()]).toEqual(['paid', [`stl_2 ${state} 1000`]]);
      expect(await balanceOf('dispute')).toBe(1000);
    },
  );

  test.each([
    ['is assigned to the order', 'on', ['stl_2 withdrawn 1000']],
    // The control: the buyer would get the money twice.
    ['is not found without its assignment', 'off', ['stl_2 due 1000']],
  ])('a dispute that is stored before its payment %s', async (_, guard, expected) => {
    if (guard === 'off') disableGuard('dispute.assignment');
    await createOrder('paid');
    await receiveAgain();
    await report('stl_2', 'lost');
    await applyAgain();
    expect(await refunds()).toEqual(expected);
  });
});

async function cancelSeat() {
  await database.sql(
    `insert into commerce.event_projection (id, event_id, business_unit_id, version, status, starts_at, ends_at, timezone, name, currency, currency_locked)
     values ('evt_1', 'evt_1', 'unit_1', 1, 'published', now() + interval '9 days', now() + interval '10 days', 'UTC', 'Summit', 'EUR', true)`,
  );
  await database.sql(
    `insert into commerce.cancelled_seat (registration_id, order_id, business_unit_id, event_id, cancelled_at, last_attempt_at, ended_with_event)
     values ('reg_1', 'ord_1', 'unit_1', 'evt_1', now(), now(), false)`,
  );
  // The refund is stored; the provider cannot be reached.
  return () =>
    refundCancelledSeat(deps, {
      ...{ registrationId: 'reg_1', orderId: 'ord_1', businessUnitId: 'unit_1', eventId: 'evt_1' },
      ...{ cancelledAt: new Date(), endedWithEvent: false },
    }).catch(() => undefined);
}

/** Waits until a statement waits for a lock, or `work` has ended. */
const blockedOr = (work: Promise<unknown>) =>
  Promise.race([
    work,
    eventually(async () => {
      const waiting = await database.sql('select from pg_locks where not granted');
      if (waiting.length === 0) throw new Error('nothing waits for a lock');
    }),
  ]);

/** Refunds on their way to the buyer that were decided after the dispute was stored. */
const sentAfterDispute = () =>
  database.sql(
    `select r.state from commerce.refund r join commerce.dispute d on d.order_id = r.order_id
     where r.state in ('pending', 'done') and r.created_at > d.received_at`,
  );

describe('a dispute and the cancellation of a seat', () => {
  test.each([
    { guard: 'on', sent: 0 },
    // The control: the refund is sent although the dispute holds the money.
    { guard: 'off', sent: 1 },
  ])('at once: no refund is sent that the dispute holds, lock $guard', async ({ guard, sent }) => {
    await createOrder('paid');
    const refundSeat = await cancelSeat();
    if (guard === 'off') disableGuard('order.lock');
    let racing: Promise<unknown> = Promise.resolve();
    atStep('order.decided', async () => {
      racing = report('stl_1', 'needs_response');
      await blockedOr(racing);
    });
    await refundSeat();
    await racing;
    expect(await sentAfterDispute()).toHaveLength(sent);
    expect(await refunds()).toHaveLength(1);
  });

  test.each<[ReportedDispute['status'], string[]]>([
    ['needs_response', ['stl_1 due 1000']],
    ['lost', []],
  ])('after a dispute that is %s nothing is sent', async (status, expected) => {
    await createOrder('paid');
    const refundSeat = await cancelSeat();
    await report('stl_1', status);
    await refundSeat();
    expect(await refunds()).toEqual(expected);
  });
});
