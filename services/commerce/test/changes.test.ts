import type { ChangeBody } from '@event-api/contracts/changes';
import {
  type DisputeStatus,
  disputeStatuses,
  type OrderStatus,
  orderStatuses,
} from '@event-api/contracts/http/orders';
import { type RefundState, refundStates } from '@event-api/contracts/operator/refunds';
import { runAsActor } from '@event-api/platform/core/actor';
import { randomId } from '@event-api/platform/core/ids';
import type { Tx } from '@event-api/platform/db/database';
import { statement } from '@event-api/platform/db/statement';
import { changeTypesOf, typesOf, writtenChanges } from '@event-api/platform/testing/changes';
import { describe, expect, test } from 'vitest';
import { insertOrder, type NewOrder } from '../src/checkout/checkout.queries.ts';
import { changeOrder } from '../src/orders/change-order.ts';
import { type OrderRow, reloadOrder } from '../src/orders/orders.queries.ts';
import { orderTransitions } from '../src/orders/orders.rules.ts';
import { orderView } from '../src/orders/orders.view.ts';
import { attemptStatus, paymentStates } from '../src/orders/payment-attempts.rules.ts';
import type { PricedLine } from '../src/orders/prices.rules.ts';
import { type PaidColumns, writePaid, writeStatus } from '../src/orders/write.ts';
import {
  findOpenPayment,
  insertPayment,
  markPaymentsExpiring,
  recordDecline,
  writeOpenSession,
  writePaymentState,
  writeSession,
} from '../src/payments/payments.queries.ts';
import type { ReportedDispute } from '../src/payments/providers/provider.ts';
import { storePaymentState } from '../src/payments/store-state.ts';
import { createRefund } from '../src/refunds/create.ts';
import { recordDispute } from '../src/refunds/record-dispute.ts';
import { completeRefund, startRefunds, withdrawRefunds } from '../src/refunds/refunds.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const canaries = {
  ...{ email: 'canary@example.com', name: 'Canary Person', code: 'CANARY' },
  ...{ company: 'Canary Company', street: 'Canary Street 1', city: 'Canary Wharf' },
};
const canaryBilling = {
  ...{ name: canaries.name, company: canaries.company, vatId: 'CANARY1' },
  address: {
    ...{ line1: canaries.street, line2: null, postalCode: null },
    ...{ city: canaries.city, country: 'GB' },
  },
};
const settlement = { id: 'stl_1', currency: 'EUR' };
const actor = { type: 'key', id: 'key_1' } as const;
const state = (status: OrderStatus) => ({ status });

const line: PricedLine = {
  itemType: 'addon',
  itemId: 'addon_1',
  name: 'Dinner',
  quantity: 1,
  unitAmount: 1500,
  taxAmount: 0,
  taxes: [],
  discountAmount: 0,
  totalAmount: 1500,
  attendees: [],
  firstSeat: 0,
  seatCount: 0,
};

const newOrder = (id = randomId('ord')): NewOrder => ({
  id,
  businessUnitId: 'unit_1',
  eventId: 'evt_1',
  email: canaries.email,
  name: canaries.name,
  currency: 'EUR',
  priced: { lines: [line], seats: [], totalAmount: 1500, taxAmount: 0 },
  addonIds: [],
  addons: [],
  redemptionCode: canaries.code,
  responses: null,
  ...{ billing: canaryBilling, isReverseCharge: false },
  refundPolicy: null,
  buyerRegistrationId: null,
  holdExpiresAt: new Date(Date.now() + 900_000).toISOString(),
});

const paidColumns: PaidColumns = {
  lines: [{ registrationIds: [], unfulfilledAmount: 0, unfulfilledRegistrationIds: [] }],
  seats: [],
  readAfterToken: null,
  addonRegistrationId: null,
};

/** Stores an order with this status. */
async function orderWith(status: OrderStatus = 'held'): Promise<string> {
  const { id } = newOrder();
  await insertOrder(db, newOrder(id));
  await database.sql('update commerce.customer_order set status = $2 where id = $1', [id, status]);
  return id;
}

/** Stores a payment of an order with this state. */
async function paymentOf(orderId: string, paymentState: string): Promise<string> {
  const id = randomId('pay');
  await database.sql(
    `insert into commerce.payment (id, business_unit_id, event_id, order_id, provider, state, amount, currency,
       success_url, cancel_url, session_id, url, created_at, last_attempt_at)
     values ($1, 'unit_1', 'evt_1', $2, 'stripe', $3, 1500, 'EUR', 's', 'c', $1, 'https://pay', now(), now())`,
    [id, orderId, paymentState],
  );
  return id;
}

/** Runs `work` as an integrator and returns the changes that it causes. */
async function changesOf(work: () => Promise<unknown>): Promise<ChangeBody[]> {
  const before = await writtenChanges(database, 'commerce');
  await runAsActor(actor, work);
  return (await writtenChanges(database, 'commerce')).slice(before.length);
}

/** The changes of one transaction on an order. */
const changesIn = (id: string, work: (tx: Tx, order: OrderRow) => Promise<unknown>) =>
  changesOf(() =>
    db.transaction((tx) => changeOrder(tx, id, async (order) => void (await work(tx, order)))),
  );

const versionOf = async (id: string): Promise<number> => (await reloadOrder(db, id)).version;

describe('a new order', () => {
  test('is reported with its version and the actor', async () => {
    const order = newOrder();
    const changes = await changesOf(() => insertOrder(db, order));
    expect(changes).toEqual([
      {
        id: expect.stringMatching(/^chg_/),
        type: 'order.created',
        eventId: 'evt_1',
        object: { type: 'order', id: order.id, version: await versionOf(order.id) },
        previous: null,
        current: state('held'),
        actor,
      },
    ]);
  });

  test('is reported once when it is stored again with the same id', async () => {
    const order = newOrder();
    const changes = await changesOf(async () => {
      for (let turn = 0; turn < 2; turn++) await insertOrder(db, order);
    });
    expect(changes).toHaveLength(1);
  });

  test('that is free is reported as paid by the statement that stores it, and not if it has changed', async () => {
    const id = await orderWith();
    const order = await reloadOrder(db, id);
    const pay = (onlyVersion: number) =>
      writePaid(db, order, paidColumns, { onlyVersion, isWholeCommand: true });
    const changes = await changesOf(async () => {
      expect(await pay(order.version - 1)).toBeNull();
      expect(await pay(order.version)).not.toBeNull();
    });
    expect(changes).toMatchObject([
      {
        type: 'order.paid',
        object: { id, version: await versionOf(id) },
        previous: state('held'),
        current: state('paid'),
        actor,
      },
    ]);
  });
});

describe('a move', () => {
  const moves = orderStatuses.flatMap((from) =>
    orderTransitions[from].map((to) => [from, to] as const),
  );

  const write = (tx: Tx, order: OrderRow, to: OrderStatus): Promise<unknown> =>
    to === 'paid' || to === 'held'
      ? writePaid(tx, order, paidColumns, { onlyVersion: null, isWholeCommand: false })
      : writeStatus(tx, order.id, to);

  test.each(moves)('from %s to %s is reported once', async (from, to) => {
    const id = await orderWith(from);
    const changes = await changesIn(id, (tx, order) => write(tx, order, to));
    expect(changes).toMatchObject([
      {
        type: `order.${to}`,
        object: { id, version: await versionOf(id) },
        previous: state(from),
        current: state(to),
        actor,
      },
    ]);
    expect(await changesIn(id, (tx, order) => write(tx, order, to))).toEqual([]);
  });

  test('through another status in one transaction is reported as the last one', async () => {
    const id = await orderWith('awaiting_payment');
    await paymentOf(id, 'open');
    const changes = await changesIn(id, async (tx, order) => {
      await write(tx, order, 'paid');
      await createRefund(tx, order, settlement, 1500, 'unfulfillable');
      await write(tx, order, 'refund_due');
      await markPaymentsExpiring(tx, id);
    });
    expect(changes).toMatchObject([
      { type: 'order.refund_due', previous: state('awaiting_payment') },
    ]);
  });

  test('that is rolled back is not reported', async () => {
    const id = await orderWith();
    const changes = await changesOf(() =>
      expect(
        db.transaction(async (tx) => {
          await changeOrder(tx, id, () => writeStatus(tx, id, 'cancelled'));
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back'),
    );
    expect(changes).toEqual([]);
  });
});

describe('a payment', () => {
  const changed = (id: string, status: OrderStatus, version: number) => ({
    type: 'order.payment_changed',
    object: { id, version },
    previous: state(status),
    current: state(status),
    actor,
  });

  test.each([
    ['held', 'creating', 'refused', false],
    ['awaiting_payment', 'open', 'expired', true],
    ['cancelled', 'expiring', 'expired', false],
    ['expired', 'open', 'expired', false],
    ['paid', 'paid', 'expired', false],
  ] as const)(
    'of an order that is %s and goes from %s to %s is reported: %s',
    async (status, from, to, isReported) => {
      const id = await orderWith(status);
      const payment = await paymentOf(id, from);
      const before = await versionOf(id);
      const changes = await changesOf(() =>
        storePaymentState(db, { id: payment, orderId: id }, to),
      );
      const version = await versionOf(id);
      expect(changes).toMatchObject(isReported ? [changed(id, status, version)] : []);
      if (isReported) expect(version).toBeGreaterThan(before);
    },
  );

  const stateOf = async (id: string) => {
    const [row] = await database.sql<{ state: (typeof paymentStates)[number] }>(
      'select state from commerce.payment where id = $1',
      [id],
    );
    return row?.state ?? 'creating';
  };

  const session = { sessionId: 'cs', url: 'https://pay' };
  const writes = {
    expiring: (tx: Tx, _id: string, orderId: string) => markPaymentsExpiring(tx, orderId),
    open: (tx: Tx, id: string) =>
      writeSession(tx, id, { ...session, sessionId: `cs of ${id}` }, 'open'),
    expired: (tx: Tx, id: string) => writePaymentState(tx, id, 'expired'),
    paid: (tx: Tx, id: string) => writePaymentState(tx, id, 'paid'),
    mismatch: (tx: Tx, id: string) => writePaymentState(tx, id, 'mismatch'),
    refused: (tx: Tx, id: string) => writePaymentState(tx, id, 'refused'),
  };
  const attempts = paymentStates.flatMap((from) =>
    (Object.keys(writes) as (keyof typeof writes)[]).map((to) => [from, to] as const),
  );

  test.each(attempts)(
    'that is %s and is written as %s is reported once if the response differs',
    async (from, to) => {
      const id = await orderWith('awaiting_payment');
      const payment = await paymentOf(id, from);
      const changes = await changesIn(id, (tx) => writes[to](tx, payment, id));
      // Only an open page has a URL in the response.
      const statuses = [from, await stateOf(payment)].map(
        (state) => `${attemptStatus(state, true)} ${state === 'open'}`,
      );
      const isReported = new Set(statuses).size === 2;
      const version = await versionOf(id);
      expect(changes).toMatchObject(isReported ? [changed(id, 'awaiting_payment', version)] : []);
      expect(await changesIn(id, (tx) => writes[to](tx, payment, id))).toEqual([]);
    },
  );

  test('is written in every state', () => {
    const begun = 'creating';
    expect([begun, ...Object.keys(writes)].toSorted()).toEqual(paymentStates.toSorted());
  });

  test('is reported as refused when it has no session', async () => {
    const id = await orderWith();
    const payment = await paymentOf(id, 'creating');
    await database.sql('update commerce.payment set session_id = null, url = null where id = $1', [
      payment,
    ]);
    const changes = await changesOf(() =>
      storePaymentState(db, { id: payment, orderId: id }, 'refused'),
    );
    expect(changes).toMatchObject([changed(id, 'held', await versionOf(id))]);
  });

  test('is reported when it begins, and its page as the move of the order', async () => {
    const id = await orderWith();
    const payment = randomId('pay');
    const urls = { successUrl: 's', cancelUrl: 'c' };
    const read = await reloadOrder(db, id);
    const attempt = { id: payment, provider: 'stripe', feeAmount: 0, ...urls };
    const begin = () => insertPayment(db, read, attempt);
    const begun = await changesOf(begin);
    const order = await reloadOrder(db, id);
    expect(begun).toMatchObject([changed(id, 'held', order.version)]);
    expect(await begin()).toBeNull();
    const page = { sessionId: 'cs_1', url: 'https://pay' };
    const open = () => writeOpenSession(db, order, payment, page);
    expect(await changesOf(open)).toMatchObject([
      {
        type: 'order.awaiting_payment',
        object: { version: await versionOf(id) },
        previous: state('held'),
        current: state('awaiting_payment'),
      },
    ]);
    expect(await open()).toBeNull();
  });

  test('is returned with its order as a read returns them', async () => {
    const id = await orderWith();
    const payment = randomId('pay');
    const urls = { successUrl: 's', cancelUrl: 'c' };
    const attempt = { id: payment, provider: 'stripe', feeAmount: 0, ...urls };
    const read = await reloadOrder(db, id);
    const started = await insertPayment(db, read, attempt);
    expect(started?.attempt).toEqual(await findOpenPayment(db, id));
    const asView = async (order: OrderRow | null | undefined) => order && orderView(order);
    expect(await asView(started?.order)).toEqual(await asView(await reloadOrder(db, id)));
    if (!started) throw new Error('not started');
    const page = { sessionId: `cs of ${payment}`, url: 'https://pay' };
    const opened = await writeOpenSession(db, started.order, payment, page);
    const stored = await reloadOrder(db, id);
    expect(opened?.version).toBe(stored.version);
    expect(await asView(opened)).toEqual(await asView(stored));
  });

  test('whose card is declined is reported, once per decline', async () => {
    const id = await orderWith('awaiting_payment');
    const payment = await paymentOf(id, 'open');
    const decline = {
      declineId: `decline of ${payment}`,
      sessionId: payment,
      attemptId: null,
      declinedAt: null,
      livemode: null,
    };
    const changes = await changesOf(async () => {
      for (let turn = 0; turn < 2; turn++) await recordDecline(db, 'stripe', decline);
      await recordDecline(db, 'stripe', { ...decline, declineId: 'other', sessionId: 'unknown' });
    });
    expect(changes).toMatchObject([changed(id, 'awaiting_payment', await versionOf(id))]);
  });
});

describe('a refund', () => {
  const changed = (id: string) => ({
    type: 'order.refund_changed',
    object: { id },
    previous: state('paid'),
    current: state('paid'),
  });

  /** Stores a refund of an order with this state. */
  async function refundOf(orderId: string, refundState: string): Promise<string> {
    await db.transaction(async (tx) =>
      createRefund(tx, await reloadOrder(tx, orderId), settlement, 100, 'operator'),
    );
    const [row] = await database.sql<{ id: string }>(
      'update commerce.refund set state = $2 where order_id = $1 returning id',
      [orderId, refundState],
    );
    return row?.id ?? '';
  }

  test('is reported when it becomes due', async () => {
    const id = await orderWith('paid');
    const changes = await changesIn(id, (tx, order) =>
      createRefund(tx, order, settlement, 100, 'mismatch'),
    );
    expect(changes).toMatchObject([{ ...changed(id), object: { version: await versionOf(id) } }]);
  });

  const result = { providerRefundId: null, failure: null };
  const request = { requestId: 'rfd_1', extent: 'onlyDue' } as const;
  const complete = (state: 'done' | 'failed' | 'due') => (tx: Tx, id: string) =>
    completeRefund(tx, id, { ...result, state });
  const writes: Record<RefundState, (tx: Tx, id: string) => Promise<unknown>> = {
    due: complete('due'),
    pending: (tx, id) => startRefunds(tx, [id], null, request),
    done: complete('done'),
    failed: complete('failed'),
    withdrawn: (tx, id) => withdrawRefunds(tx, [id]),
  };
  /** The amount of the order that contains a refund. */
  const amounts: Record<RefundState, string | null> = {
    due: 'refundDueAmount',
    pending: 'refundDueAmount',
    done: 'refundedAmount',
    failed: null,
    withdrawn: null,
  };
  const moves = refundStates.flatMap((from) => refundStates.map((to) => [from, to] as const));

  test.each(moves)(
    'that is %s and is written as %s is reported once if an amount differs',
    async (from, to) => {
      const id = await orderWith('paid');
      const refund = await refundOf(id, from);
      const changes = await changesIn(id, (tx) => writes[to](tx, refund));
      const [row] = await database.sql<{ state: RefundState }>(
        'select state from commerce.refund where id = $1',
        [refund],
      );
      const isReported = amounts[from] !== amounts[row?.state ?? from];
      expect(changes).toMatchObject(isReported ? [changed(id)] : []);
    },
  );

  test.each([
    ['due', 'withdrawn'],
    ['pending', 'done'],
    ['pending', 'failed'],
  ] as const)('that goes from %s to %s is reported', async (from, to) => {
    const id = await orderWith('paid');
    const refund = await refundOf(id, from);
    expect(await changesIn(id, (tx) => writes[to](tx, refund))).toMatchObject([changed(id)]);
  });
});

describe('a dispute', () => {
  const log = { warn: () => {} };
  const report = (paymentId: string, status: DisputeStatus, second: number): ReportedDispute => ({
    ...{ disputeId: `dp_${paymentId}`, paymentId, amount: 500, currency: 'EUR', status },
    ...{ livemode: false, reason: 'fraudulent', respondBy: null, createdAt: new Date(0) },
    reportedAt: new Date(second * 1000),
  });

  /** An order whose payment has the id of the order. */
  async function settledOrder(): Promise<string> {
    const id = await orderWith('paid');
    await database.sql(
      `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
         currency, state, order_id, received_at, last_attempt_at)
       values ($1, 'sandbox', $1, $1, $1, 1500, 'EUR', 'accepted', $1, now(), now())`,
      [id],
    );
    return id;
  }

  const moves = disputeStatuses.flatMap((from) => disputeStatuses.map((to) => [from, to] as const));

  test.each(moves)(
    'that is %s and is then reported as %s is a change once, if it goes forward',
    async (from, to) => {
      const id = await settledOrder();
      const deps = { db, log };
      const first = await changesOf(() => recordDispute(deps, 'sandbox', report(id, from, 1)));
      const type = 'order.dispute_changed';
      expect(first).toMatchObject([{ type, object: { id, version: await versionOf(id) } }]);
      const next = () => recordDispute(deps, 'sandbox', report(id, to, 2));
      const later = await changesOf(async () => {
        await next();
        await next();
      });
      const [now] = (await reloadOrder(db, id)).disputes;
      expect(later.map((change) => change.type)).toEqual(now?.status === from ? [] : [type]);
    },
  );
});

describe('another field', () => {
  const setField = statement(
    'test_set_registration',
    'update commerce.customer_order set addon_registration_id = $2, read_after_token = $3 where id = $1',
  );

  test.each([
    ['of the response is reported as an update', 'reg_1', null, ['order.updated']],
    ['that no response contains is not reported', null, 'token', []],
  ])('%s', async (_name, registrationId, token, types) => {
    const id = await orderWith('paid');
    const changes = await changesIn(id, (tx) => tx.query(setField, [id, registrationId, token]));
    expect(changes.map(({ type }) => type)).toEqual(types);
  });
});

test('no change contains an email, a name or a code', async () => {
  const feed = JSON.stringify(await writtenChanges(database, 'commerce'));
  expect(feed).toContain('order.created');
  for (const secret of Object.values(canaries)) expect(feed).not.toContain(secret);
});

test('every type of change of commerce is reported by a test of this file', async () => {
  expect(typesOf(await writtenChanges(database, 'commerce'))).toEqual(changeTypesOf('order'));
});
