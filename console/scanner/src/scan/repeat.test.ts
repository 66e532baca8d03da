import { expect, test } from 'vitest';
import { normalCode, type Seen, see } from './repeat.ts';

test('a badge that stays in front of the camera is one showing', () => {
  const first = see(new Map(), 'CHK-1', 0);
  const second = see(first.seen, 'CHK-1', 2900);
  const third = see(second.seen, 'CHK-1', 5800);
  expect([first.isNew, second.isNew, third.isNew]).toEqual([true, false, false]);
  expect(see(third.seen, 'CHK-1', 8801).isNew).toBe(true);
});

test('two badges in one picture are one showing each', () => {
  let seen: Seen = new Map();
  const news: string[] = [];
  for (let at = 0; at < 10_000; at += 100) {
    for (const code of ['CHK-1', 'CHK-2']) {
      const next = see(seen, code, at);
      if (next.isNew) news.push(code);
      seen = next.seen;
    }
  }
  expect(news).toEqual(['CHK-1', 'CHK-2']);
});

test.each([
  [']Q1CHK-7D2M', ''],
  [']d2chk-7d2m', ''],
  ['%%CHK-7D2M', '%%'],
  ['scan chk-7d2m', 'Scan '],
  ['%%]C1CHK-7D2M', '%%'],
])('normalCode(%j, %j) leaves out what the scanner types before the code', (text, prefix) => {
  expect(normalCode(text, prefix)).toBe('CHK-7D2M');
});

test.each([
  [' chk-7d2m9qk4x1t8vbna\n', 'CHK-7D2M9QK4X1T8VBNA'],
  ['', null],
  ['   ', null],
  ['CHK-7D2M 9QK4 X1T8 VBNA', 'CHK-7D2M9QK4X1T8VBNA'],
  ['WIFI:S:Guests;;', 'WIFI:S:GUESTS;;'],
  ['x'.repeat(2000), 'X'.repeat(200)],
])('normalCode(%j) is %j', (text, code) => {
  expect(normalCode(text)).toBe(code);
});
