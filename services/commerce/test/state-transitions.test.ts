import { randomId } from '@event-api/platform/core/ids';
import { describe, expect, test } from 'vitest';
import type { paymentStates } from '../src/orders/payment-attempts.rules.ts';
import {
  markPaymentsExpiring,
  writePaymentState,
  writeSession,
} from '../src/payments/payments.queries.ts';
import { completeRefund, startRefunds } from '../src/refunds/refunds.queries.ts';
import { settlementStates } from '../src/settlements/settlement.entity.ts';
import { writeSettlementState } from '../src/settlements/settlements.queries.ts';
import { database, db, useDatabase } from './context.ts';

useDatabase();

const stateOf = async (table: string, id: string): Promise<string> => {
  const [row] = await database.sql(`select state from commerce.${table} where id = $1`, [id]);
  return String(row?.state);
};

describe('a payment', () => {
  type State = (typeof paymentStates)[number];
  const session = { sessionId: 'cs_1', url: 'https://pay.example' };

  async function createPayment(state: State, sessionId: string | null): Promise<string> {
    const id = randomId('pay');
    await database.sql(
      `insert into commerce.payment (id, business_unit_id, event_id, order_id, provider, state, amount, currency,
         success_url, cancel_url, session_id, created_at, last_attempt_at)
       values ($1, 'u', 'e', $1, $2, $3, 5, 'EUR', 's', 'c', $4, now(), now())`,
      [id, id, state, sessionId],
    );
    return id;
  }

  /** The state after each statement, for a payment without a session and for one with a session. */
  const transitions: Record<
    string,
    {
      apply: (id: string) => Promise<unknown>;
      from: Record<State, State | [withoutSession: State, withSession: State]>;
    }
  > = {
    'its session is stored as open': {
      apply: (id) => db.transaction((tx) => writeSession(tx, id, session, 'open')),
      from: {
        creating: 'open',
        open: 'open',
        expiring: 'open',
        expired: 'expired',
        paid: 'paid',
        mismatch: 'mismatch',
        refused: 'refused',
      },
    },
    'its session is stored to be expired': {
      apply: (id) => db.transaction((tx) => writeSession(tx, id, session, 'expiring')),
      from: {
        creating: 'expiring',
        open: 'open',
        expiring: 'expiring',
        expired: 'expired',
        paid: 'paid',
        mismatch: 'mismatch',
        refused: 'refused',
      },
    },
    'its order is closed': {
      apply: (id) => db.transaction((tx) => markPaymentsExpiring(tx, id)),
      from: {
        creating: 'expiring',
        open: 'expiring',
        expiring: 'expiring',
        expired: 'expired',
        paid: 'paid',
        mismatch: 'mismatch',
        refused: 'refused',
      },
    },
    'its session has expired': {
      apply: (id) => writePaymentState(db, id, 'expired'),
      from: {
        creating: 'expired',
        open: 'expired',
        expiring: 'expired',
        expired: 'expired',
        paid: 'paid',
        mismatch: 'mismatch',
        refused: 'expired',
      },
    },
    'its payment is applied': {
      apply: (id) => writePaymentState(db, id, 'paid'),
      from: {
        creating: 'paid',
        open: 'paid',
        expiring: 'paid',
        expired: 'paid',
        paid: 'paid',
        mismatch: 'paid',
        refused: 'paid',
      },
    },
    'another amount is received': {
      apply: (id) => writePaymentState(db, id, 'mismatch'),
      from: {
        creating: 'mismatch',
        open: 'mismatch',
        expiring: 'mismatch',
        expired: 'mismatch',
        paid: 'paid',
        mismatch: 'mismatch',
        refused: 'mismatch',
      },
    },
    'its session is rejected': {
      apply: (id) => writePaymentState(db, id, 'refused'),
      from: {
        creating: ['refused', 'creating'],
        open: ['refused', 'open'],
        expiring: ['refused', 'expiring'],
        expired: ['refused', 'expired'],
        paid: 'paid',
        mismatch: 'mismatch',
        refused: 'refused',
      },
    },
  };

  const cases = Object.entries(transitions).flatMap(([name, { apply, from }]) =>
    Object.entries(from).map(([state, to]) => ({
      name,
      apply,
      state: state as State,
      to: typeof to === 'string' ? [to, to] : to,
    })),
  );

  test.each(cases)('changes from $state to $to when $name', async ({ apply, state, to }) => {
    for (const [n, sessionId] of [null, 'cs_0'].entries()) {
      const id = await createPayment(state, sessionId);
      await apply(id);
      expect(await stateOf('payment', id)).toBe(to[n]);
    }
  });
});

describe('a settlement', () => {
  test.each(settlementStates)(
    'in the state %s is processed only if it is received',
    async (state) => {
      const id = randomId('stl');
      await database.sql(
        `insert into commerce.settlement (id, provider, provider_notification_id, provider_payment_id, session_id, amount,
         currency, state, received_at, last_attempt_at)
       values ($1, 'sandbox', $1, $1, 'cs_1', 5, 'EUR', $2, now(), now())`,
        [id, state],
      );
      for (const next of settlementStates) {
        if (next === 'received') continue;
        const before = await stateOf('settlement', id);
        expect(await writeSettlementState(db, id, next)).toBe(before === 'received');
        expect(await stateOf('settlement', id)).toBe(before === 'received' ? next : before);
      }
    },
  );
});

describe('a refund', () => {
  const request = { requestId: 'req_1', extent: 'all' } as const;
  const complete = (state: 'done' | 'failed' | 'due') => (id: string) =>
    db.transaction((tx) =>
      completeRefund(tx, id, { state, providerRefundId: null, failure: null }),
    );

  test.each([
    [
      'is started',
      (id: string) => db.transaction((tx) => startRefunds(tx, [id], null, request)),
      { due: 'pending', pending: 'pending', done: 'done', failed: 'failed' },
    ],
    [
      'is confirmed',
      complete('done'),
      { due: 'due', pending: 'done', done: 'done', failed: 'failed' },
    ],
    [
      'is rejected and stays due',
      complete('due'),
      { due: 'due', pending: 'due', done: 'done', failed: 'failed' },
    ],
    [
      'is rejected for good',
      complete('failed'),
      { due: 'due', pending: 'failed', done: 'done', failed: 'failed' },
    ],
  ])('changes its state by the table when it %s', async (_, apply, transitions) => {
    for (const [from, to] of Object.entries(transitions)) {
      const id = randomId('rfd');
      await database.sql(
        `insert into commerce.refund (id, business_unit_id, event_id, order_id, settlement_id, amount, currency, state,
           cause, created_at, last_attempt_at)
         values ($1, 'u', 'e', 'o', 's', 5, 'EUR', $2, 'operator', now(), now())`,
        [id, from],
      );
      await apply(id);
      expect(await stateOf('refund', id), `from ${from}`).toBe(to);
    }
  });
});
