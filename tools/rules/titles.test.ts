import { expect, test } from 'vitest';
import { titlesOf } from './titles.ts';

test('reads the titles of nested groups, of tables of cases and of conditional tests', () => {
  const text = `
    test('adds', () => {});
    describe.each(['a', 'b'])('the door %s', () => {
      test.skipIf(isFast)('opens', () => {});
      describe('at night', () => { it(\`closes\`, () => {}); });
    });
    fixture('is no test');`;
  expect(titlesOf('door.test.ts', text)).toEqual([
    'adds',
    'the door %s › opens',
    'the door %s › at night › closes',
  ]);
});
