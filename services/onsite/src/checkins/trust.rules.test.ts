import { checkinDeciders } from '@event-api/contracts/operator/checkins';
import { expect, test } from 'vitest';
import {
  type Confirmation,
  decideTrust,
  mayAdmitAlone,
  type ProjectionTrust,
  restsOnUnconfirmed,
} from './trust.rules.ts';

test.each<['reached' | 'missed', Confirmation, Confirmation, ProjectionTrust]>([
  ['reached', 'confirmed', 'confirmed', { level: 'current', event: 'confirmed' }],
  ['reached', 'confirmed', 'unconfirmed', { level: 'unconfirmed', event: 'confirmed' }],
  ['reached', 'confirmed', 'different', { level: 'unconfirmed', event: 'confirmed' }],
  ['reached', 'unconfirmed', 'confirmed', { level: 'current', event: 'unconfirmed' }],
  ['reached', 'unconfirmed', 'unconfirmed', { level: 'unconfirmed', event: 'unconfirmed' }],
  ['reached', 'unconfirmed', 'different', { level: 'unconfirmed', event: 'unconfirmed' }],
  ['reached', 'different', 'confirmed', { level: 'current', event: 'unconfirmed' }],
  ['reached', 'different', 'unconfirmed', { level: 'unconfirmed', event: 'unconfirmed' }],
  ['reached', 'different', 'different', { level: 'unconfirmed', event: 'unconfirmed' }],
  ['missed', 'confirmed', 'confirmed', { level: 'behind', event: 'confirmed' }],
  ['missed', 'confirmed', 'unconfirmed', { level: 'unconfirmed', event: 'confirmed' }],
  ['missed', 'confirmed', 'different', { level: 'unconfirmed', event: 'confirmed' }],
  ['missed', 'unconfirmed', 'confirmed', { level: 'behind', event: 'unconfirmed' }],
  ['missed', 'unconfirmed', 'unconfirmed', { level: 'unconfirmed', event: 'unconfirmed' }],
  ['missed', 'unconfirmed', 'different', { level: 'unconfirmed', event: 'unconfirmed' }],
  ['missed', 'different', 'confirmed', { level: 'behind', event: 'unconfirmed' }],
  ['missed', 'different', 'unconfirmed', { level: 'unconfirmed', event: 'unconfirmed' }],
  ['missed', 'different', 'different', { level: 'unconfirmed', event: 'unconfirmed' }],
])(
  'a read-after token that is %s, an event that is %s and badges that are %s: %j',
  (token, event, badges, trust) => {
    const readAfter = { isSatisfied: token === 'reached' };
    expect(decideTrust({ readAfter, event, badges })).toEqual(trust);
  },
);

test.each<[ProjectionTrust, boolean, ReturnType<typeof flaggedDeciders>]>([
  [{ level: 'current', event: 'confirmed' }, true, []],
  [{ level: 'behind', event: 'confirmed' }, false, []],
  [{ level: 'unconfirmed', event: 'confirmed' }, false, ['fallback']],
  [{ level: 'current', event: 'unconfirmed' }, true, [...checkinDeciders]],
  [{ level: 'behind', event: 'unconfirmed' }, false, [...checkinDeciders]],
  [{ level: 'unconfirmed', event: 'unconfirmed' }, false, [...checkinDeciders]],
])('with %j the projections admit alone: %s; flagged if decided by %j', (trust, alone, flagged) => {
  expect(mayAdmitAlone(trust)).toBe(alone);
  expect(flaggedDeciders(trust)).toEqual(flagged);
});

const flaggedDeciders = (trust: ProjectionTrust) =>
  checkinDeciders.filter((decidedBy) => restsOnUnconfirmed(trust, decidedBy));
