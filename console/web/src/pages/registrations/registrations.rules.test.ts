import { expect, test } from 'vitest';
import { partsOf } from './registrations.rules.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `reg_${index}`);

test('partsOf gives each id the part of 100 that it is read with', () => {
  const parts = partsOf(ids(250));
  expect([...new Set(parts.values())].map((part) => part.length)).toEqual([100, 100, 50]);
  for (const [id, part] of parts) expect(part).toContain(id);
});

test('partsOf keeps the full parts of a list that grows', () => {
  expect(partsOf(ids(150)).get('reg_0')).toEqual(partsOf(ids(200)).get('reg_0'));
});

test('partsOf counts an id once', () => {
  expect(partsOf(['ord_1', 'ord_1', 'ord_2']).get('ord_1')).toEqual(['ord_1', 'ord_2']);
  expect(partsOf([]).size).toBe(0);
});
