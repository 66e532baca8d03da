import { describe, expect, test } from 'vitest';
import { budgets, findViolations } from './budgets.ts';
import { readTimeouts } from './values.ts';

const declared = new Map(
  readTimeouts().flatMap((group) => group.values.map(({ id, value }) => [id, value])),
);

test('no wait exceeds the wait that contains it', () => {
  expect(findViolations(budgets, declared)).toEqual([]);
});

describe('findViolations', () => {
  const values = new Map([
    ['badge.waitMs', 1000],
    ['badge.readMs', 100],
    ['door.ownerMs', 300],
  ]);
  const why = 'The door decides without the badge.';
  const exception = 'The door has a fallback.';
  const check = (...inner: string[]) =>
    findViolations([{ inner, outer: 'door.ownerMs', why }], values);
  const checkException = (...inner: string[]) =>
    findViolations([{ inner, outer: 'door.ownerMs', why, exception }], values);

  test('reports an inner wait that exceeds the outer one', () => {
    expect(check('badge.waitMs')).toEqual([
      'badge.waitMs (1000 ms) within door.ownerMs (300 ms): the outer wait ends first',
    ]);
  });

  test('adds inner waits that follow one another', () => {
    const four = Array.from({ length: 4 }, () => 'badge.readMs');
    expect(check(...four.slice(1))).toEqual([]);
    expect(check(...four)).toEqual([expect.stringContaining('(400 ms) within')]);
  });

  test('accepts an exception only where it is needed', () => {
    expect(checkException('badge.waitMs')).toEqual([]);
    expect(checkException('badge.readMs')).toEqual([
      expect.stringContaining('the exception is not needed'),
    ]);
  });

  test('reports a value that does not exist', () => {
    expect(check('badge.missingMs')).toEqual(['badge.missingMs does not exist']);
  });
});
