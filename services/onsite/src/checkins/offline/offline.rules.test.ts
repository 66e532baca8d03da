import { describe, expect, test } from 'vitest';
import { type BadgeVerdict, decideScan, type JudgedScan } from './offline.rules.ts';

const admitted: JudgedScan = {
  decision: 'admitted',
  door: 'on_program',
  verdict: 'admitted',
  registrationIsAway: false,
};
const refused: JudgedScan = { ...admitted, decision: 'refused' };
const verdicts: BadgeVerdict[] = [
  'admitted',
  'unknown_badge',
  'badge_replaced',
  'badge_mismatch',
  'not_confirmed',
  'gate_closed',
  'admission_closed',
];
const own = { isOfSameSource: true, isRefused: false };
const others = { isOfSameSource: false, isRefused: false };
const formers = { isOfSameSource: false, isRefused: true };

test.each(verdicts)('a door that never existed is invalid, whatever the badge: %s', (verdict) => {
  for (const scan of [admitted, refused]) {
    for (const registrationIsAway of [true, false]) {
      const unknown = { ...scan, verdict, registrationIsAway, door: 'unknown' } as const;
      expect(decideScan(unknown, null)).toEqual({ outcome: 'invalid', reason: 'UNKNOWN_DOOR' });
    }
  }
});

test('an unknown badge is sent again while registration is away, whatever the device decided', () => {
  for (const scan of [admitted, refused]) {
    for (const door of ['on_program', 'removed'] as const) {
      const away = { ...scan, door, verdict: 'unknown_badge', registrationIsAway: true } as const;
      expect(decideScan(away, null)).toEqual({ outcome: 'retry' });
    }
  }
});

test.each(verdicts)('a refusal is logged with what the server would decide: %s', (verdict) => {
  const logged = (wouldAdmit: boolean) => ({ outcome: 'logged', wouldAdmit });
  expect(decideScan({ ...refused, verdict }, null)).toEqual(logged(verdict === 'admitted'));
  expect(decideScan({ ...refused, verdict }, others)).toEqual(logged(verdict === 'admitted'));
  expect(decideScan({ ...refused, verdict, door: 'removed' }, null)).toEqual(logged(false));
  expect(decideScan({ ...refused, verdict }, formers)).toEqual(logged(false));
});

test.each([
  ['unknown_badge', 'UNKNOWN_BADGE'],
  ['badge_mismatch', 'NOT_SAME_PERSON'],
] as const)('an admission of a badge without a person is invalid: %s', (verdict, reason) => {
  for (const earlier of [null, own, others]) {
    expect(decideScan({ ...admitted, verdict }, earlier)).toEqual({ outcome: 'invalid', reason });
  }
});

describe.each([
  'admitted',
  'badge_replaced',
  'not_confirmed',
  'gate_closed',
  'admission_closed',
] as const)('an admission of a badge that is %s', (verdict) => {
  test.each(['on_program', 'removed'] as const)('at a door that is %s', (door) => {
    const scan = { ...admitted, door, verdict };
    expect(decideScan(scan, own)).toEqual({ outcome: 'already' });
    expect(decideScan(scan, others)).toEqual({ outcome: 'contested' });
    expect(decideScan(scan, formers)).toEqual({ outcome: 'contested' });
    expect(decideScan({ ...scan, registrationIsAway: true }, others)).toEqual({
      outcome: 'contested',
    });
  });
});

test.each([
  ['admitted', 'on_program', { outcome: 'recorded' }],
  ['badge_replaced', 'on_program', { outcome: 'overruled', reason: 'BADGE_REPLACED' }],
  ['not_confirmed', 'on_program', { outcome: 'overruled', reason: 'NOT_CONFIRMED' }],
  ['gate_closed', 'on_program', { outcome: 'overruled', reason: 'GATE_CLOSED' }],
  ['admission_closed', 'on_program', { outcome: 'overruled', reason: 'ADMISSION_CLOSED' }],
  ['admitted', 'removed', { outcome: 'overruled', reason: 'DOOR_GONE' }],
  ['not_confirmed', 'removed', { outcome: 'overruled', reason: 'DOOR_GONE' }],
] as const)(
  'the first admission of a badge that is %s at a door that is %s is inside',
  (verdict, door, decision) => {
    expect(decideScan({ ...admitted, verdict, door }, null)).toEqual(decision);
    expect(decideScan({ ...admitted, verdict, door, registrationIsAway: true }, null)).toEqual(
      decision,
    );
  },
);
