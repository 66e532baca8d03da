import type { CheckinExplanation } from '@event-api/contracts/operator/checkins';
import { describe, expect, test } from 'vitest';
import type { DoorCount } from '../../../api/records.ts';
import { commonRefusal, refusalOf, sortDoors } from './doors.rules.ts';

const explanation = (fields: object): CheckinExplanation =>
  ({ outcome: 'admitted', rules: [], checkin: null, ...fields }) as unknown as CheckinExplanation;
const admitted = explanation({});
const unconfirmed = explanation({
  outcome: 'not_confirmed',
  rules: [{ rule: 'confirmed', passed: false, registrationStatus: 'pending' }],
});
const gateClosed = (name: string) =>
  explanation({
    outcome: 'gate_closed',
    rules: [
      { rule: 'confirmed', passed: true, registrationStatus: 'confirmed' },
      { rule: 'gate', passed: false, perks: [{ id: 'perk_1', name }] },
    ],
  });

test('sessions come after the entrance and the rooms', () => {
  const doors = ['session', 'venue', 'event'].map((subjectType) => ({ subjectType }));
  expect(sortDoors(doors as DoorCount[]).map(({ subjectType }) => subjectType)).toEqual([
    ...['event', 'venue', 'session'],
  ]);
});

test('a refusal names the perks or the times that would open the door', () => {
  expect(refusalOf(admitted)).toBeNull();
  expect(refusalOf(gateClosed('Lounge'))?.perks).toEqual(['Lounge']);
  const times = { admissionOpensAt: '2027-05-10T07:00:00.000Z', admissionClosesAt: null };
  const early = explanation({
    outcome: 'admission_closed',
    rules: [{ rule: 'admission', passed: false, of: 'event', ...times }],
  });
  expect(refusalOf(early)?.admission).toEqual({ opensAt: times.admissionOpensAt, closesAt: null });
});

describe('the refusal that all doors have in common', () => {
  const inside = { ...unconfirmed, checkin: {} as never };
  test.each([
    ['the same reason', [unconfirmed, unconfirmed], 'not_confirmed'],
    ['no door', [], undefined],
    ['a door that is open', [unconfirmed, admitted], undefined],
    ['a door that is not known yet', [unconfirmed, undefined], undefined],
    ['another perk', [gateClosed('Lounge'), gateClosed('Meal')], undefined],
    ['a person who is inside', [unconfirmed, inside], undefined],
  ])('is there for %s: %#', (_what, explanations, outcome) => {
    expect(commonRefusal(explanations)?.outcome).toBe(outcome);
  });
});
