import { expect, test } from 'vitest';
import { chooseUnit } from './last-unit-rules.ts';

const [first, second] = [{ id: 'bu_1' }, { id: 'bu_2' }];

test.each([
  ['the one that was open last', [first, second], 'bu_2', second],
  ['the first one before any was open', [first, second], null, first],
  ['the first one after the operator has left the last one', [first, second], 'bu_3', first],
  ['none without a unit', [], 'bu_1', null],
])('is %s', (_, units, lastId, chosen) => {
  expect(chooseUnit(units, lastId)).toBe(chosen);
});
