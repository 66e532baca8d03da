import { describe, expect, test } from 'vitest';
import { decideStart, decodeCursor, encodeCursor, isSameHistory } from './cursor.ts';

const epoch = '0b0f2c7e-5a57-4a55-8f2e-9c4d4b1f8a10';
const other = '1b0f2c7e-5a57-4a55-8f2e-9c4d4b1f8a10';
const digest = '0123456789abcdef'.repeat(4);
const digestStart = '0123456789abcdef';
const state = { epoch, sequence: 10, digest, floor: 3 };
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  test('contains its version, the epoch, the sequence and the start of the digest', () => {
    const cursor = encodeCursor({ epoch, sequence: 7, digest });
    expect(cursor).toBe(base64url(`1.${epoch}.7.${digestStart}`));
    expect(decodeCursor(cursor)).toEqual({ epoch, sequence: 7, digestStart });
  });

  test.each([
    ['the digest at its sequence', digest, true],
    ['another digest at its sequence', `f${digest.slice(1)}`, false],
    ['no change at its sequence', undefined, false],
  ])('with %s is of the same history: %j', (_, found, isSame) => {
    expect(isSameHistory({ epoch, sequence: 7, digestStart }, found)).toBe(isSame);
  });

  test.each([
    ['nothing', ''],
    ['other text', 'cursor'],
    ['another version', base64url(`2.${epoch}.7.${digestStart}`)],
    ['a negative sequence', base64url(`1.${epoch}.-7.${digestStart}`)],
    ['a sequence with leading zeros', base64url(`1.${epoch}.07.${digestStart}`)],
    ['a sequence beyond all numbers', base64url(`1.${epoch}.99999999999999999.${digestStart}`)],
    ['no epoch', base64url(`1..7.${digestStart}`)],
    ['no digest', base64url(`1.${epoch}.7`)],
    ['a short digest', base64url(`1.${epoch}.7.0123`)],
    ['padding', `${base64url(`1.${epoch}.7.${digestStart}`)}=`],
    ['a NUL', base64url(`1.${epoch}.7.${digestStart}\0`)],
  ])('is invalid with %s', (_, cursor) => {
    expect(decodeCursor(cursor)).toBeNull();
    expect(decideStart(cursor, state)).toEqual({ outcome: 'invalid' });
  });
});

describe('a page', () => {
  test.each([
    [
      'without a cursor starts after the floor',
      undefined,
      { outcome: 'read', after: 3, cursor: null },
    ],
    [
      'starts after the cursor',
      { epoch, sequence: 7 },
      { outcome: 'read', after: 7, cursor: { epoch, sequence: 7, digestStart } },
    ],
    [
      'at the head is empty',
      { epoch, sequence: 10 },
      { outcome: 'read', after: 10, cursor: { epoch, sequence: 10, digestStart } },
    ],
    ['starts after the floor', { epoch, sequence: 3 }, { outcome: 'read', after: 3, cursor: null }],
    ['below the floor has expired', { epoch, sequence: 2 }, { outcome: 'expired' }],
    ['above the head is a reset', { epoch, sequence: 11 }, { outcome: 'reset' }],
    [
      'of another epoch is judged by its owner',
      { epoch: other, sequence: 7 },
      { outcome: 'other_epoch', epoch: other },
    ],
    [
      'of another epoch below the floor is judged by its owner',
      { epoch: other, sequence: 1 },
      { outcome: 'other_epoch', epoch: other },
    ],
  ])('%s', (_, position, decision) => {
    expect(decideStart(position && encodeCursor({ ...position, digest }), state)).toEqual(decision);
  });
});
