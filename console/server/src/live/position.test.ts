import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatPosition, parsePosition } from './position.ts';

const own = formatPosition(7);

test.each([
  ['of this process', own, 7],
  ['of another process', `${randomUUID()}.7`, null],
  ['without a position', own.replace(/7$/, ''), null],
  ['with another text', own.replace(/7$/, 'x'), null],
  ['that is missing', undefined, null],
])('the position of an id %s', (_, id, position) => {
  expect(parsePosition(id)).toBe(position);
});
