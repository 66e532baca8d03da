import { describe, expect, test } from 'vitest';
import type { Response } from '../api/client.ts';
import { decideVerdict, type Tone, toneOf, type Verdict } from './verdict.ts';

const at = '2027-05-10T08:00:00.000Z';
const person = { registrationId: 'reg_1', name: 'Ada', notice: null };
const checkin = (alreadyCheckedIn: boolean, badgeReplaced = false) => ({
  checkin: { id: 'chk_1', checkedInAt: at, badgeReplaced },
  registration: { id: 'reg_1', name: 'Ada' },
  alreadyCheckedIn,
  notice: null,
});
const error = (...details: object[]) => ({ error: { message: 'No entry', details } });

describe('decideVerdict', () => {
  test.each<[string, Response, Verdict, Tone]>([
    ['a 201', { status: 201, body: checkin(false) }, { kind: 'admitted', ...person }, 'go'],
    [
      'a 200 for a second scan',
      { status: 200, body: checkin(true) },
      { kind: 'already', ...person, checkedInAt: at, badgeReplaced: false },
      'look',
    ],
    [
      'a 200 for the first scan of a badge whose former one was let in',
      { status: 200, body: checkin(true, true) },
      { kind: 'already', ...person, checkedInAt: at, badgeReplaced: true },
      'look',
    ],
    [
      'a 201 outside the days of the event',
      { status: 201, body: { ...checkin(false), notice: 'OUTSIDE_EVENT_DAYS' } },
      { kind: 'admitted', ...person, notice: 'OUTSIDE_EVENT_DAYS' },
      'go',
    ],
    [
      'a 412 EVENT_CANCELLED',
      { status: 412, body: error({ reason: 'EVENT_CANCELLED' }) },
      { kind: 'event_cancelled' },
      'stop',
    ],
    [
      'a 412 ADMISSION_CLOSED',
      {
        status: 412,
        body: error({ reason: 'ADMISSION_CLOSED', admissionOpensAt: at, admissionClosesAt: null }),
      },
      { kind: 'admission_closed', admissionOpensAt: at, admissionClosesAt: null },
      'stop',
    ],
    [
      'a 412 FORMER_BADGE_INSIDE',
      { status: 412, body: error({ reason: 'FORMER_BADGE_INSIDE', checkedInAt: at }) },
      { kind: 'former_inside', checkedInAt: at },
      'stop',
    ],
    [
      'a 412 NOT_CONFIRMED',
      { status: 412, body: error({ reason: 'NOT_CONFIRMED', registrationStatus: 'waitlisted' }) },
      { kind: 'not_confirmed', registrationStatus: 'waitlisted' },
      'stop',
    ],
    [
      'a 412 GATE_CLOSED',
      {
        status: 412,
        body: error({ reason: 'GATE_CLOSED', perks: [{ name: 'Lounge' }, { name: null }] }),
      },
      { kind: 'gate_closed', perks: ['Lounge'] },
      'stop',
    ],
    [
      'a 412 BADGE_REPLACED',
      { status: 412, body: error({ reason: 'BADGE_REPLACED' }) },
      { kind: 'replaced' },
      'stop',
    ],
    [
      'a 412 by a rule that the page does not know',
      { status: 412, body: error({ reason: 'LATER_RULE' }) },
      { kind: 'refused', message: 'No entry' },
      'stop',
    ],
    [
      'a 404 for the badge',
      { status: 404, body: error({ field: 'checkinCode' }) },
      { kind: 'unknown_badge' },
      'stop',
    ],
    [
      'a 404 for the door',
      { status: 404, body: error({ field: 'subjectId' }) },
      { kind: 'door_gone' },
      'stop',
    ],
    [
      'a 400 for what is no badge code',
      { status: 400, body: error({ field: 'checkinCode' }) },
      { kind: 'unknown_badge' },
      'stop',
    ],
    ['a 401', { status: 401, body: error() }, { kind: 'ended' }, 'stop'],
    [
      'a 409 for an attempt that still runs',
      { status: 409, body: error() },
      { kind: 'undecided' },
      'look',
    ],
    ['a 429', { status: 429, body: error() }, { kind: 'undecided' }, 'look'],
    ['a 503', { status: 503, body: error() }, { kind: 'undecided' }, 'look'],
    ['no response', { status: null }, { kind: 'undecided' }, 'look'],
  ])('%s', (_, response, verdict, tone) => {
    const decided = decideVerdict(response);
    expect(decided).toEqual(verdict);
    expect(toneOf(decided)).toBe(tone);
  });
});
