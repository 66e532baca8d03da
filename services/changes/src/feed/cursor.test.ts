import { describe, expect, test } from 'vitest';
import { decideStart, decodeCursor, encodeCursor } from './cursor.ts';

const epoch = '0b0f2c7e-5a57-4a55-8f2e-9c4d4b1f8a10';
const other = '1b0f2c7e-5a57-4a55-8f2e-9c4d4b1f8a10';
const state = { epoch, sequence: 10, floor: 3 };
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  test('contains its version, the epoch and the sequence', () => {
    expect(encodeCursor({ epoch, sequence: 7 })).toBe(base64url(`1.${epoch}.7`));
    expect(decodeCursor(encodeCursor({ epoch, sequence: 7 }))).toEqual({ epoch, sequence: 7 });
  });

  test.each([
    ['nothing', ''],
    ['other text', 'cursor'],
    ['another version', base64url(`2.${epoch}.7`)],
    ['a negative sequence', base64url(`1.${epoch}.-7`)],
    ['a sequence with leading zeros', base64url(`1.${epoch}.07`)],
    ['a sequence beyond all numbers', base64url(`1.${epoch}.99999999999999999`)],
    ['no epoch', base64url('1..7')],
    ['padding', `${base64url(`1.${epoch}.7`)}=`],
    ['a NUL', base64url(`1.${epoch}.7\0`)],
  ])('is invalid with %s', (_, cursor) => {
    expect(decodeCursor(cursor)).toBeNull();
    expect(decideStart(cursor, state)).toEqual({ outcome: 'invalid' });
  });
});

describe('a page', () => {
  test.each([
    ['without a cursor starts after the floor', undefined, { outcome: 'read', after: 3 }],
    ['starts after the cursor', { epoch, sequence: 7 }, { outcome: 'read', after: 7 }],
    ['at the head is empty', { epoch, sequence: 10 }, { outcome: 'read', after: 10 }],
    ['starts after the floor', { epoch, sequence: 3 }, { outcome: 'read', after: 3 }],
    ['below the floor has expired', { epoch, sequence: 2 }, { outcome: 'expired' }],
    ['above the head is a reset', { epoch, sequence: 11 }, { outcome: 'reset' }],
    ['of another epoch is a reset', { epoch: other, sequence: 7 }, { outcome: 'reset' }],
    [
      'of another epoch below the floor is a reset',
      { epoch: other, sequence: 1 },
      { outcome: 'reset' },
    ],
  ])('%s', (_, position, decision) => {
    expect(decideStart(position && encodeCursor(position), state)).toEqual(decision);
  });
});
