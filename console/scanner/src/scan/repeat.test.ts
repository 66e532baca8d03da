import { expect, test } from 'vitest';
import { normalCode, see } from './repeat.ts';

test('a badge that stays in front of the camera is one showing', () => {
  const first = see(null, 'CHK-1', 0);
  const second = see(first.seen, 'CHK-1', 2900);
  const third = see(second.seen, 'CHK-1', 5800);
  expect([first.isNew, second.isNew, third.isNew]).toEqual([true, false, false]);
  expect(see(third.seen, 'CHK-1', 8801).isNew).toBe(true);
});

test('another badge is a new showing at once', () => {
  expect(see({ code: 'CHK-1', at: 0 }, 'CHK-2', 1).isNew).toBe(true);
});

test.each([
  [' chk-7d2m9qk4x1t8vbna\n', 'CHK-7D2M9QK4X1T8VBNA'],
  ['', null],
  ['   ', null],
  ['two words', null],
  ['x'.repeat(201), null],
])('normalCode(%j) is %j', (text, code) => {
  expect(normalCode(text)).toBe(code);
});
