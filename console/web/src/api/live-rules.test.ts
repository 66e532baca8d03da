import { describe, expect, test } from 'vitest';
import {
  type Connection,
  decideLiveState,
  isConcerned,
  isSilent,
  type LiveState,
  partsOf,
  pauseAfter,
  silentAfterMs,
  staleAfterMs,
} from './live-rules.ts';

const open: Connection = { openedAt: 0, heardAt: 5, currentAt: 5, lostAt: 0, parts: 'current' };
const first: Connection = { ...open, heardAt: null, currentAt: null, parts: 'pending' };
const lost: Connection = { ...open, openedAt: null, lostAt: 100 };
const pending: Connection = { ...open, openedAt: 200, parts: 'pending' };

describe('decideLiveState', () => {
  test.each<[string, Connection, number, LiveState]>([
    ['an open stream', open, 1e9, 'connected'],
    ['the first stream, before it opens', { ...first, openedAt: null }, 10, 'connecting'],
    ['the first stream, before its parts respond', first, 10, 'connecting'],
    ['a first stream that does not open', { ...first, openedAt: null }, staleAfterMs, 'stale'],
    ['a stream that was lost just now', lost, 100 + staleAfterMs - 1, 'reconnecting'],
    ['a stream that is away for a while', lost, 100 + staleAfterMs, 'stale'],
    ['an open stream with a part that is away', { ...open, parts: 'away' }, 10, 'stale'],
    ['a new stream whose parts have not responded', pending, 199 + staleAfterMs, 'reconnecting'],
    ['a stream whose parts do not respond', pending, 200 + staleAfterMs, 'stale'],
  ])('%s', (_, connection, now, state) => {
    expect(decideLiveState(connection, now)).toBe(state);
  });
});

test.each<[string, Connection, number, boolean]>([
  ['after a message', open, 5 + silentAfterMs, false],
  ['long after the last message', open, 6 + silentAfterMs, true],
  ['long after it opened', { ...open, heardAt: null }, 1 + silentAfterMs, true],
  ['that is not open', lost, 1e9, false],
])('a stream %s is silent at %i: %j', (_, connection, now, expected) => {
  expect(isSilent(connection, now)).toBe(expected);
});

test.each<[Record<string, string>, Connection['parts']]>([
  [{ summary: 'current', changes: 'current' }, 'current'],
  [{ summary: 'current', changes: 'pending' }, 'pending'],
  [{ summary: 'away', changes: 'pending' }, 'away'],
])('the parts of %j are %s', (status, expected) => {
  expect(partsOf(status)).toBe(expected);
});

test.each<[string, string[], boolean]>([
  ['v1/events/evt_1/ticket-types/tt_1/availability', ['registration.confirmed'], true],
  ['v1/events/evt_1/ticket-types', ['ticket_type.updated'], true],
  ['v1/events/evt_1', ['event.published'], true],
  ['v1/events/evt_1/orders', ['event.published'], false],
  ['registration.countPerDay', ['registration.confirmed'], true],
  ['registration.countPerDay', ['order.paid'], false],
  ['sales.summary', ['order.paid'], true],
  ['sales.summary', ['checkin.created'], false],
  ['refund.list', ['checkin.created', 'order.refund_changed'], true],
  ['v1/events/evt_1/checkins', ['checkin.created'], true],
  ['v1/events/evt_1/checkins/summary', ['checkin.created'], false],
  ['checkin.listConflicts', ['checkin.created'], true],
  ['checkin.countPerMinute', ['checkin.created', 'registration.confirmed'], false],
  ['v1/events/evt_1/orders', ['something.new'], true],
  ['v1/events/evt_1/orders', [], false],
])('%s is read again after %j: %j', (operation, types, expected) => {
  expect(isConcerned(operation, types)).toBe(expected);
});

test('reads again at most once a second, and less often the more it reads', () => {
  expect(pauseAfter(0)).toBe(1000);
  expect(pauseAfter(5)).toBe(1000);
  expect(pauseAfter(20)).toBe(4000);
});
