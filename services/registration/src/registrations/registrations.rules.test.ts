import { movesInGuides, movesOf } from '@event-api/platform/testing/state-diagrams';
import { describe, expect, test } from 'vitest';
import {
  codeState,
  fromNow,
  now,
  personOf,
  registrationState,
  reservationState,
  stateOf,
  statusesAfter,
  typeState,
} from '../../test/states.ts';
import { applyChanges } from '../seats/apply-changes.ts';
import {
  type AdmissionState,
  type Expected,
  registrationTransitions,
} from '../seats/seats.rules.ts';
import {
  decideApproval,
  decideCancellation,
  decideConfirmation,
  decideRegistration,
  decideRejection,
  type StatusDecision,
  type StatusRequest,
} from './registrations.rules.ts';

const register = (
  state: AdmissionState,
  { email = 'a', ticketTypeId = 'day' as string | null, codeKey = null as string | null } = {},
) => decideRegistration(state, { person: personOf(email), ticketTypeId, codeKey });

const statusOf = (state: AdmissionState, input?: Parameters<typeof register>[1]) => {
  const decision = register(state, input);
  if (decision.outcome !== 'registered') return decision.outcome;
  const [change] = decision.changes;
  return change?.kind === 'register' ? change.status : 'nothing';
};

describe('a registration', () => {
  const full = { capacity: 1, confirmed: 1 };
  test.each([
    ['confirmed while there are seats', { capacity: 1 }, 'confirmed'],
    ['confirmed without a capacity', { capacity: null, confirmed: 1_000_000 }, 'confirmed'],
    ['rejected when all seats are taken', full, 'sold_out'],
    ['rejected when all seats are reserved', { capacity: 1, reserved: 1 }, 'sold_out'],
    ['rejected below a lowered capacity', { capacity: 1, confirmed: 5 }, 'sold_out'],
    [
      'waitlisted when the type is full and has a waitlist',
      { ...full, allowWaitlist: true },
      'waitlisted',
    ],
    [
      'waitlisted behind a waitlist',
      { capacity: 9, waitlisted: 1, allowWaitlist: true },
      'waitlisted',
    ],
    ['rejected behind a waitlist', { capacity: 9, waitlisted: 1 }, 'sold_out'],
    ['pending when the type requires approval', { requiresApproval: true }, 'pending'],
    ['pending even when full', { ...full, requiresApproval: true }, 'pending'],
    ['rejected in a draft type', { status: 'draft' }, 'not_on_sale'],
    ['rejected in a closed type', { status: 'closed' }, 'not_on_sale'],
    ['rejected in an archived type', { status: 'archived' }, 'not_on_sale'],
    ['rejected before the opening', { opensAt: fromNow(1) }, 'not_on_sale'],
    ['confirmed at the opening', { opensAt: now }, 'confirmed'],
    ['rejected at the closing', { closesAt: now }, 'not_on_sale'],
  ] as const)('is %s', (_, type, expected) => {
    expect(statusOf(stateOf({ types: [typeState(type)] }))).toBe(expected);
  });

  test('is confirmed in a draft event', () => {
    expect(statusOf(stateOf({ eventStatus: 'draft' }))).toBe('confirmed');
  });

  test.each([
    ['without a type in an event with a type', [typeState()], null, 'type_required'],
    [
      'without a type in an event with archived types only',
      [typeState({ status: 'archived' })],
      null,
      'confirmed',
    ],
    ['without a type in an event without types', [], null, 'confirmed'],
    ['with a type that the event does not have', [typeState()], 'night', 'type_unknown'],
    ['with a type in an event without types', [], 'day', 'type_unknown'],
  ] as const)('%s has the expected outcome', (_, types, ticketTypeId, expected) => {
    expect(statusOf(stateOf({ types: [...types] }), { ticketTypeId })).toBe(expected);
  });

  test.each(['pending', 'confirmed', 'waitlisted'] as const)(
    'is not created twice while one is %s',
    (status) => {
      const state = stateOf({ registrations: [registrationState('a', status)] });
      expect(register(state)).toEqual({ outcome: 'already_registered', registrationId: 'reg_a' });
    },
  );

  test.each(['rejected', 'cancelled'] as const)(
    'can be created again after one was %s',
    (status) => {
      const state = stateOf({ registrations: [registrationState('a', status, { id: 'reg_old' })] });
      expect(statusOf(state)).toBe('confirmed');
    },
  );

  test('does not take a reserved seat', () => {
    const state = stateOf({
      types: [typeState({ capacity: 1 })],
      reservations: [reservationState()],
    });
    expect(statusOf(state)).toBe('sold_out');
  });
});

describe('a code', () => {
  test.each([
    ['that is usable is accepted', {}, 'confirmed'],
    ['that is used up is rejected', { uses: 1 }, 'code_invalid'],
    ['that is disabled is rejected', { status: 'disabled' }, 'code_invalid'],
    ['that has expired is rejected', { expiresAt: now }, 'code_invalid'],
    ['for another type does not apply', { ticketTypeId: 'night' }, 'code_not_applicable'],
    [
      'for another type that is used up is rejected as invalid',
      { ticketTypeId: 'night', uses: 1 },
      'code_invalid',
    ],
  ] as const)('%s', (_, fields, expected) => {
    const state = stateOf({ codes: [codeState(fields)] });
    expect(statusOf(state, { codeKey: 'FRIEND' })).toBe(expected);
  });

  test('that does not exist is rejected', () => {
    expect(statusOf(stateOf({}), { codeKey: 'NOBODY' })).toBe('code_invalid');
  });

  test('is stored with the registration', () => {
    const decision = register(stateOf({ codes: [codeState()] }), { codeKey: 'FRIEND' });
    expect(decision).toMatchObject({ changes: [{ redemptionCodeId: 'code_1' }] });
  });
});

describe('a registration with several errors reports the first', () => {
  // Each case has its own error and those of all cases below it.
  const wrong = {
    eventStatus: 'archived' as const,
    types: [typeState({ status: 'closed', capacity: 1, confirmed: 1 })],
  };
  const registered = { registrations: [registrationState('a', 'pending')] };
  test.each([
    ['no type', () => stateOf({ ...wrong, ...registered }), null, 'type_required'],
    ['an unknown type', () => stateOf({ ...wrong, ...registered }), 'night', 'type_unknown'],
    [
      'an existing registration',
      () => stateOf({ ...wrong, ...registered }),
      'day',
      'already_registered',
    ],
    ['an archived event', () => stateOf(wrong), 'day', 'event_archived'],
    ['a type that is not on sale', () => stateOf({ types: wrong.types }), 'day', 'not_on_sale'],
    [
      'an invalid code',
      () => stateOf({ types: [typeState({ capacity: 0 })] }),
      'day',
      'code_invalid',
    ],
  ] as const)('%s', (_, state, ticketTypeId, expected) => {
    expect(register(state(), { ticketTypeId, codeKey: 'NOBODY' }).outcome).toBe(expected);
  });

  test('no seats, after all others', () => {
    const state = stateOf({ types: [typeState({ capacity: 0 })], codes: [codeState()] });
    expect(register(state, { codeKey: 'FRIEND' }).outcome).toBe('sold_out');
  });
});

const statuses = ['pending', 'confirmed', 'waitlisted', 'rejected', 'cancelled'] as const;
const transitions = {
  approve: (state: AdmissionState): StatusDecision =>
    decideApproval(state, { registrationId: 'reg_a' }),
  reject: (state: AdmissionState): StatusDecision =>
    decideRejection(state, { registrationId: 'reg_a', reason: 'no room' }),
  cancel: (state: AdmissionState): StatusDecision =>
    decideCancellation(state, { registrationId: 'reg_a' }),
};
const expected = {
  approve: ['confirmed', 'not_pending', 'not_pending', 'not_pending', 'not_pending'],
  reject: ['rejected', 'not_pending', 'not_pending', 'not_pending', 'not_pending'],
  cancel: ['cancelled', 'cancelled', 'cancelled', 'unchanged', 'unchanged'],
};
const cells = (['approve', 'reject', 'cancel'] as const).flatMap((move) =>
  statuses.map((status, n) => [move, status, expected[move][n] ?? ''] as const),
);

describe('every status change from every status', () => {
  test.each(cells)('%s of a %s registration: %s', (move, status, wanted) => {
    const state = stateOf({ registrations: [registrationState('a', status)] });
    const decision = transitions[move](state);
    if (decision.outcome !== 'changed') return expect(decision.outcome).toBe(wanted);
    expect(statusesAfter(state, decision.changes, ['a'])).toEqual([wanted]);
    expect(registrationTransitions[status]).toContain(wanted);
  });

  test.each(['approve', 'reject', 'cancel'] as const)(
    '%s of an unknown registration: unknown',
    (move) => {
      expect(transitions[move](stateOf({})).outcome).toBe('unknown');
    },
  );

  test('keeps the reason of a rejection', () => {
    const state = stateOf({ registrations: [registrationState('a', 'pending')] });
    expect(transitions.reject(state)).toMatchObject({
      changes: [{ to: 'rejected', reason: 'no room' }],
    });
  });
});

describe('an approval', () => {
  const pending = (type: Parameters<typeof typeState>[0], eventStatus?: 'archived' | 'draft') =>
    stateOf({
      types: [typeState({ requiresApproval: true, ...type })],
      registrations: [registrationState('a', 'pending')],
      ...(eventStatus && { eventStatus }),
    });
  test.each([
    ['confirms while there are seats', { capacity: 1 }, 'confirmed'],
    [
      'waitlists when the type is full and has a waitlist',
      { capacity: 1, confirmed: 1, allowWaitlist: true },
      'waitlisted',
    ],
    [
      'waitlists behind a waitlist',
      { capacity: 9, waitlisted: 1, allowWaitlist: true },
      'waitlisted',
    ],
    ['works in a closed type', { status: 'closed' }, 'confirmed'],
  ] as const)('%s', (_, type, wanted) => {
    const state = pending(type);
    expect(transitions.approve(state)).toMatchObject({ changes: [{ to: wanted }] });
  });

  test('is rejected when the type is full without a waitlist, and the registration stays pending', () => {
    const state = pending({ capacity: 1, reserved: 1 });
    expect(transitions.approve(state)).toEqual({ outcome: 'sold_out' });
    expect(state.registrations.get('reg_a')?.status).toBe('pending');
  });

  test('is rejected in an archived event in any status; rejecting and cancelling are not', () => {
    expect(transitions.approve(pending({}, 'archived')).outcome).toBe('event_archived');
    expect(transitions.reject(pending({}, 'archived')).outcome).toBe('changed');
    expect(transitions.cancel(pending({}, 'archived')).outcome).toBe('changed');
  });

  test('confirms a registration without a ticket type', () => {
    const mine = registrationState('a', 'pending', { ticketTypeId: null });
    expect(transitions.approve(stateOf({ types: [], registrations: [mine] }))).toMatchObject({
      changes: [{ to: 'confirmed' }],
    });
  });
});

describe('a change of the status on what its caller has read', () => {
  const details = {
    email: '"a"',
    name: '"Ada"',
    registrationTypeId: '"day"',
    responses: '{"diet":"vegan"}',
  };
  const moves = {
    approve: decideApproval,
    reject: (state: AdmissionState, request: StatusRequest) =>
      decideRejection(state, { ...request, reason: null }),
    cancel: decideCancellation,
    confirm: decideConfirmation,
  };
  const cases: [expected: Expected | null, field: keyof Expected | null][] = [
    [null, null],
    [{}, null],
    [{ ...details, status: 'pending' }, null],
    [{ ...details, status: 'waitlisted' }, 'status'],
    [{ email: '"b"' }, 'email'],
    [{ name: 'null' }, 'name'],
    [{ registrationTypeId: '"week"' }, 'registrationTypeId'],
    [{ responses: 'null' }, 'responses'],
  ];
  const cells = (['approve', 'reject', 'cancel', 'confirm'] as const).flatMap((move) =>
    cases.map(([expected, field]) => [move, expected, field] as const),
  );
  test.each(cells)('%s of what is expected to be %j: %s', (move, expected, field) => {
    const state = stateOf({ registrations: [registrationState('a', 'pending')] });
    state.details.set('reg_a', details);
    const decision = moves[move](state, { registrationId: 'reg_a', expected });
    expect(decision).toMatchObject(
      field === null ? { outcome: 'changed' } : { outcome: 'changed_meanwhile', field },
    );
  });

  test.each(['approve', 'reject', 'cancel', 'confirm'] as const)(
    'after the same change by another caller, %s is refused',
    (move) => {
      const state = stateOf({ registrations: [registrationState('a', 'pending')] });
      const request = { registrationId: 'reg_a', expected: { status: 'pending' } as const };
      const first = moves[move](state, request);
      applyChanges(state, first.outcome === 'changed' ? first.changes : []);
      expect(moves[move](state, request)).toEqual({
        outcome: 'changed_meanwhile',
        field: 'status',
      });
    },
  );
});

test('the diagram of the guide shows exactly the lifecycle of a registration', () => {
  expect(movesInGuides('applications-and-waitlists')).toEqual(movesOf(registrationTransitions));
});
