import { expect, test } from 'vitest';
import { changedSeatsOf } from './types-again.rules.ts';

const seat = { email: '', name: null, ticketTypeId: 'week', inBundle: false, amount: 90 };
const change = (id: string, ...places: number[]) => ({
  id,
  request: {
    changeTypes: places.map((n) => ({ seatId: `seat_1_${n}`, ticketTypeId: 'any' })),
  },
});

test('each change gives its seats what they are now', () => {
  const seats = [
    { ...seat, changedTo: { ticketTypeId: 'hour', amount: 10 } },
    { ...seat, changedTo: { ticketTypeId: 'day', amount: 40 } },
    seat,
  ];
  const changes = [change('quo_1', 1, 2), change('quo_2', 1), { id: 'quo_3', request: {} }];
  const [first, second] = [
    { id: 'seat_1_1', ticketTypeId: 'hour', amount: 10 },
    { id: 'seat_1_2', ticketTypeId: 'day', amount: 40 },
  ];
  expect(changedSeatsOf({ id: 'ord_1', seats }, changes)).toEqual([
    { changeId: 'quo_1', seats: [first, second] },
    { changeId: 'quo_2', seats: [first] },
    { changeId: 'quo_3', seats: [] },
  ]);
});
