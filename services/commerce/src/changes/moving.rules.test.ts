import { expect, test } from 'vitest';
import { decideMoving } from './moving.rules.ts';

type Parameters = globalThis.Parameters<typeof decideMoving>;

const changedTo = { ticketTypeId: 'day', amount: 40 };
const request = {
  ...{ cancelSeats: [], cancelAddons: [] },
  changeTypes: ['seat_1_1', 'seat_1_3'].map((seatId) => ({ seatId, ticketTypeId: 'day' })),
};

test.each<[Parameters[0]['status'], Parameters[1]['state'], Parameters[2], string, string]>([
  ['paid', 'moving', 'changed', 'store', 'store'],
  ['paid', 'moving', 'refused', 'end', 'end'],
  ['paid', 'moving', 'unknown', 'wait', 'wait'],
  ['refund_due', 'moving', 'unknown', 'end', 'end'],
  ['refunded', 'moving', 'unknown', 'end', 'end'],
  ['refund_due', 'moving', 'refused', 'end', 'end'],
  ['paid', 'quoted', 'changed', 'ended', 'ended'],
  ['refunded', 'quoted', 'unknown', 'ended', 'ended'],
  ['paid', 'executing', 'changed', 'stored', 'stored'],
  ['paid', 'done', 'changed', 'stored', 'store'],
  ['paid', 'done', 'refused', 'stored', 'end'],
])(
  'of an order that is %s, a change that is %s and %s at registration: %s, or %s without its seats',
  (status, state, result, withSeats, without) => {
    const decide = (...places: number[]) => {
      const seats = [0, 1, 2].map((n) => (places.includes(n) ? { changedTo } : {}));
      return decideMoving({ id: 'ord_1', status, seats }, { state, request }, result);
    };
    expect([decide(0, 2), decide(0, 1), decide()]).toEqual([withSeats, without, without]);
  },
);
