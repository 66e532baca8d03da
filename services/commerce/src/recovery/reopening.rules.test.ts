import { expect, test } from 'vitest';
import { decideReopening } from './reopening.rules.ts';

const seats = [
  { id: 'seat_1_1', registrationId: 'reg_1', status: 'assigned' },
  { id: 'seat_1_2', registrationId: null, status: 'open' },
  { id: 'seat_1_3', registrationId: 'reg_3', status: 'cancelled' },
] as const;

test('a seat whose assignment is lost is open again, and a cancelled one is to end again', () => {
  const { replaced, endedIds } = decideReopening(seats, ['seat_1_1', 'seat_1_2', 'seat_1_3']);
  expect([...replaced]).toEqual([
    ['reg_1', 'seat_1_1'],
    ['reg_3', 'seat_1_3'],
  ]);
  expect(endedIds).toEqual(['seat_1_3']);
});

test('other seats stay', () => {
  expect([...decideReopening(seats, ['seat_1_1']).replaced.keys()]).toEqual(['reg_1']);
  expect(decideReopening(seats, []).endedIds).toEqual([]);
});
