import { expect, test } from 'vitest';
import { enqueue, maxWaiting, type Waiting } from './queue.ts';

const badge = (checkinCode: string): Waiting => ({ presented: { checkinCode }, method: 'manual' });
const person: Waiting = { presented: { registrationId: 'reg_1' }, method: 'manual' };
const many = Array.from({ length: maxWaiting }, (_, n) => badge(`CHK-${n}`));

test.each([
  ['the first badge is queued', [], null, badge('A'), { outcome: 'queued', waiting: [badge('A')] }],
  [
    'the next one waits behind it',
    [badge('A')],
    person,
    badge('B'),
    { outcome: 'queued', waiting: [badge('A'), badge('B')] },
  ],
  [
    'the badge that is checked does not wait, too',
    [],
    badge('A'),
    badge('A'),
    { outcome: 'present' },
  ],
  ['a badge waits once', [badge('A')], badge('B'), badge('A'), { outcome: 'present' }],
  ['a badge that waits is not refused', many, null, badge('CHK-3'), { outcome: 'present' }],
  ['one more than the limit is refused', many, null, badge('B'), { outcome: 'full' }],
])('%s', (_, waiting, current, next, expected) => {
  expect(enqueue(waiting, current, next)).toEqual(expected);
});

test('badges leave in the order in which they came', () => {
  const codes = ['C', 'A', 'B'];
  const waiting = codes.reduce<readonly Waiting[]>((queue, code) => {
    const result = enqueue(queue, badge('current'), badge(code));
    return result.outcome === 'queued' ? result.waiting : queue;
  }, []);
  expect(waiting.map(({ presented }) => presented)).toEqual(
    codes.map((checkinCode) => ({ checkinCode })),
  );
});
