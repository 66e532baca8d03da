import { type EventStatus, eventStatuses } from '@event-api/contracts/http/events';
import { describe, expect, test } from 'vitest';
import {
  dateOrderIssues,
  decideCancelEvent,
  decideEventUpdate,
  type EventPatch,
  type EventState,
} from './events.rules.ts';

const startsAt = new Date('2027-05-10T07:00:00Z');
const endsAt = new Date('2027-05-11T16:00:00Z');

const event: EventState = {
  name: 'Summit',
  status: 'draft',
  startsAt,
  endsAt,
  admissionOpensAt: null,
  admissionClosesAt: null,
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  attendanceMode: 'in_person',
  country: null,
  currencyLocked: false,
  capacityGroups: [],
};

const decide = (patch: EventPatch, from: Partial<EventState> = {}) =>
  decideEventUpdate({ ...event, ...from }, patch);

const changed = (changes: Partial<EventState>, publishes = false, resetsAgenda = false) => ({
  outcome: 'changed',
  changes,
  publishes,
  resetsAgenda,
});

const misordered = { field: 'endsAt', issue: 'must not be before startsAt', code: 'invalid_value' };
const startless = {
  field: 'startsAt',
  issue: 'is required for a published event',
  code: 'required',
};

describe('decideEventUpdate', () => {
  test('requires an admission that ends after it begins, also with what is stored', () => {
    const field = 'admissionClosesAt';
    const issue = 'must be after admissionOpensAt';
    const invalid = { outcome: 'invalid', issues: [{ field, issue, code: 'invalid_value' }] };
    expect(decide({ admissionClosesAt: startsAt }, { admissionOpensAt: startsAt })).toEqual(
      invalid,
    );
    expect(decide({ admissionOpensAt: endsAt }, { admissionClosesAt: startsAt })).toEqual(invalid);
    const later = { admissionClosesAt: endsAt };
    expect(decide(later, { admissionOpensAt: startsAt })).toEqual(changed(later));
    expect(decide({ admissionOpensAt: null }, { admissionOpensAt: startsAt })).toEqual(
      changed({ admissionOpensAt: null }),
    );
  });

  test.each<[string, EventPatch]>([
    ['nothing', {}],
    ['a confirmation only', { confirmAgendaReset: true }],
    ['the current values', { name: 'Summit', startsAt: new Date(startsAt), status: 'draft' }],
  ])('returns unchanged for %s in any status', (_what, patch) => {
    for (const status of eventStatuses) {
      const same = { ...patch, ...(patch.status && { status }) };
      expect(decide(same, { status })).toEqual({ outcome: 'unchanged' });
    }
  });

  test('changes only the fields that differ', () => {
    expect(decide({ name: 'Winter', currency: 'EUR', endsAt: null })).toEqual(
      changed({ name: 'Winter', endsAt: null }),
    );
  });

  test('does not treat the confirmation as a field', () => {
    expect(decide({ name: 'Winter', confirmAgendaReset: true })).toEqual(
      changed({ name: 'Winter' }),
    );
  });
});

describe('the status', () => {
  const allowed = ['draft > published', 'draft > archived', 'published > archived'];
  const pairs = eventStatuses.flatMap((from) => eventStatuses.map((to) => [from, to] as const));

  test.each(pairs)('allows or rejects %s to %s', (from, to) => {
    const decision = decide({ status: to }, { status: from });
    if (from === to) expect(decision).toEqual({ outcome: 'unchanged' });
    else if (allowed.includes(`${from} > ${to}`)) {
      expect(decision).toEqual(changed({ status: to }, to === 'published'));
    } else expect(decision).toEqual({ outcome: 'invalid_transition', from, to });
  });

  test.each<EventPatch>([{ name: 'x' }, { startsAt: null }, { currency: 'USD' }])(
    'rejects %o once archived',
    (patch) => {
      expect(decide({ ...patch, confirmAgendaReset: true }, { status: 'archived' })).toEqual({
        outcome: 'archived_is_final',
      });
    },
  );
});

describe('an inconsistent event', () => {
  test.each<[string, EventPatch, Partial<EventState>, object[]]>([
    ['publishing without a start', { status: 'published' }, { startsAt: null }, [startless]],
    [
      'a published event losing its start',
      { startsAt: null },
      { status: 'published' },
      [startless],
    ],
    ['an end before the current start', { endsAt: new Date(0) }, {}, [misordered]],
    ['a start after the current end', { startsAt: new Date('2028-01-01') }, {}, [misordered]],
    [
      'a first start after the end',
      { startsAt: new Date('2028-01-01') },
      { startsAt: null },
      [misordered],
    ],
  ])('%s is invalid', (_what, patch, from, issues) => {
    expect(decide(patch, from)).toEqual({ outcome: 'invalid', issues });
    expect(decide({ ...patch, confirmAgendaReset: true }, from)).toEqual({
      outcome: 'invalid',
      issues,
    });
  });

  test('is validated after the lifecycle and before business rules', () => {
    const misfit = { endsAt: new Date(0), currency: 'USD' } as const;
    const locked = { currencyLocked: true, status: 'published' } as const;
    expect(decide({ ...misfit, status: 'draft' }, locked).outcome).toBe('invalid_transition');
    expect(decide(misfit, locked).outcome).toBe('invalid');
  });

  test('does not include missing dates', () => {
    expect(dateOrderIssues({ startsAt: null, endsAt: new Date(0) })).toEqual([]);
    expect(dateOrderIssues({ startsAt, endsAt: null })).toEqual([]);
    expect(dateOrderIssues({ startsAt, endsAt: startsAt })).toEqual([]);
    expect(dateOrderIssues({ startsAt, endsAt: new Date(startsAt.getTime() - 1) })).toEqual([
      misordered,
    ]);
  });
});

describe('a locked currency', () => {
  const locked = { currencyLocked: true };

  test('cannot change', () => {
    expect(decide({ currency: 'USD', name: 'x' }, locked)).toEqual({ outcome: 'currency_locked' });
  });

  test('allows changes of other fields', () => {
    expect(decide({ currency: 'EUR', name: 'x' }, locked)).toEqual(changed({ name: 'x' }));
  });

  test('is checked before the agenda', () => {
    const patch = { currency: 'USD', startsAt: new Date('2027-05-09T07:00:00Z') } as const;
    expect(decide(patch, locked)).toEqual({ outcome: 'currency_locked' });
    expect(decide(patch)).toEqual({ outcome: 'agenda_reset_unconfirmed' });
  });
});

describe('a cancellation', () => {
  const event = { status: 'published' as EventStatus, cancellationRefund: null, version: 7 };
  const cancel = (fields: object, expectedVersion = 7) =>
    decideCancelEvent({ ...event, ...fields }, { refund: 'full', expectedVersion });
  const cancelled = {
    outcome: 'cancelled',
    changes: { status: 'archived', cancellationRefund: 'full' },
  };

  test.each<EventStatus>(['draft', 'published', 'archived'])('archives a %s event', (status) => {
    expect(cancel({ status })).toEqual(cancelled);
  });

  test('is refused if the event has changed since the preview', () => {
    expect(cancel({}, 6)).toEqual({ outcome: 'changed_meanwhile' });
  });

  test('changes nothing when it is repeated, whatever has changed since', () => {
    expect(cancel({ cancellationRefund: 'full', version: 9 })).toEqual({ outcome: 'unchanged' });
  });

  test('is refused if it pays back something else than the first one', () => {
    expect(cancel({ cancellationRefund: 'none' })).toEqual({
      outcome: 'cancelled_before',
      refund: 'none',
    });
  });
});
