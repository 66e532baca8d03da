import { describe, expect, test } from 'vitest';
import { codeState, fromNow, now, stateOf, typeState } from '../../test/states.ts';
import { isUsable, saleBlock, seatsForNewcomers } from './seats.rules.ts';

describe('a ticket type is on sale', () => {
  test.each([
    ['open, at any time', {}, true],
    ['from its opening on', { opensAt: now }, true],
    ['not a millisecond before', { opensAt: fromNow(1) }, false],
    ['up to its closing', { closesAt: fromNow(1) }, true],
    ['not at its closing', { closesAt: now }, false],
    ['between both', { opensAt: fromNow(-1), closesAt: fromNow(1) }, true],
    ['not as a draft', { status: 'draft' }, false],
    ['not when closed', { status: 'closed' }, false],
    ['not when archived', { status: 'archived' }, false],
  ] as const)('%s', (_, fields, expected) => {
    expect(saleBlock(typeState(fields), now) === null).toBe(expected);
  });
});

describe('a code can be used', () => {
  test.each([
    ['once more', { maxUses: 3, uses: 2 }, 1, true],
    ['not beyond its limit', { maxUses: 3, uses: 2 }, 2, false],
    ['without end if it has no limit', { maxUses: null, uses: 1_000_000 }, 100, true],
    ['up to its expiry', { expiresAt: fromNow(1) }, 1, true],
    ['not at its expiry', { expiresAt: now }, 1, false],
    ['not when it is disabled', { status: 'disabled' }, 1, false],
  ] as const)('%s', (_, fields, uses, expected) => {
    expect(isUsable(codeState(fields), now, uses)).toBe(expected);
  });

  test('not when it does not exist', () => {
    expect(isUsable(undefined, now, 1)).toBe(false);
  });
});

describe('available seats', () => {
  test.each([
    ['belong to the waitlist', {}, 'published', 0],
    ['belong to the waitlist in a draft event', {}, 'draft', 0],
    ['belong to the waitlist in a closed type', { status: 'closed' }, 'published', 0],
    ['are open to new registrations in an archived type', { status: 'archived' }, 'published', 5],
    ['are not for the waitlist in an archived event', {}, 'archived', 5],
    ['are open to new registrations when no one is waitlisted', { waitlisted: 0 }, 'published', 5],
  ] as const)('%s', (_, fields, eventStatus, expected) => {
    const type = typeState({ capacity: 5, waitlisted: 3, ...fields });
    expect(seatsForNewcomers(stateOf({ eventStatus, types: [type] }), type)).toBe(expected);
  });
});
