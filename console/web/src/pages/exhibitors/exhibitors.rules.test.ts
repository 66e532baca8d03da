import { expect, test } from 'vitest';
import type { Exhibitor } from '../../api/records.ts';
import { type BoothOrder, isWebAddress, sortBooths } from './exhibitors.rules.ts';

const booth = (number: string, type: string, venueId: string | null) => ({
  id: `booth_${number}`,
  number,
  type,
  venueId,
});
const exhibitors = [
  { id: 'exh_1', name: 'Zuse', booths: [booth('A10', 'row', 'hall'), booth('A2', 'corner', null)] },
  { id: 'exh_2', name: 'Analytical', booths: [booth('b1', 'corner', 'hall')] },
] as Exhibitor[];

test.each<[BoothOrder, string[]]>([
  ['number', ['A2', 'A10', 'b1']],
  ['type', ['A2', 'b1', 'A10']],
  ['room', ['A2', 'A10', 'b1']],
  ['company', ['b1', 'A2', 'A10']],
])('sorts booths by %s', (order, numbers) => {
  const rows = sortBooths(exhibitors, new Map([['hall', 'Main hall']]), order);
  expect(rows.map(({ number }) => number)).toEqual(numbers);
});

test.each([
  ['https://example.com', true],
  ['HTTP://example.com', true],
  ['javascript:alert(1)', false],
])('%s is a link: %j', (address, expected) => {
  expect(isWebAddress(address)).toBe(expected);
});
