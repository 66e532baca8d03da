import { expect, test } from 'vitest';
import type { MinuteCount } from './rates.queries.ts';
import { ratesView } from './rates.view.ts';

const until = new Date('2027-05-10T09:30:15.000Z');
const at = (subjectId: string, minutesAgo: number, checkedIn: number): MinuteCount => ({
  subjectType: 'venue',
  subjectId,
  minutesAgo,
  checkedIn,
});
const zeros = (count: number): number[] => Array(count).fill(0);

test.each<[string, MinuteCount[], Record<string, number[]>]>([
  ['no check-ins', [], {}],
  ['check-ins in the last minute', [at('ven_1', 0, 7)], { ven_1: [...zeros(29), 7] }],
  ['check-ins in the oldest minute', [at('ven_1', 29, 7)], { ven_1: [7, ...zeros(29)] }],
  [
    'two doors with quiet minutes between',
    [at('ven_1', 3, 2), at('ven_1', 1, 5), at('ven_2', 0, 1)],
    { ven_1: [...zeros(26), 2, 0, 5, 0], ven_2: [...zeros(29), 1] },
  ],
])('the rates of %s have a number for each minute', (_, counts, expected) => {
  const { doors, ...rates } = ratesView(counts, until);
  expect(rates).toEqual({ until: '2027-05-10T09:30:15.000Z' });
  expect(Object.fromEntries(doors.map((door) => [door.subjectId, door.perMinute]))).toEqual(
    expected,
  );
});
