import { saleStatuses } from '@event-api/contracts/http/ticket-types';
import { describe, expect, test } from 'vitest';
import { perOrderIssues, saleWindowIssues } from '../patches/patches.rules.ts';
import {
  decideTicketTypeUpdate,
  type TicketTypePatch,
  type TicketTypeState,
} from './ticket-types.rules.ts';

const at = (time: string) => new Date(`2027-05-10T${time}Z`);

const ticketType: TicketTypeState = {
  name: 'Early bird',
  description: null,
  capacity: 100,
  capacityGroupId: null,
  taxRateId: null,
  allowWaitlist: false,
  isPublic: true,
  requiresApproval: false,
  status: 'draft',
  opensAt: at('09:00:00'),
  closesAt: at('18:00:00'),
  admissionOpensAt: null,
  admissionClosesAt: null,
  priceAmount: 0,
  minPerOrder: 2,
  maxPerOrder: 5,
  sortOrder: 0,
};

const decide = (patch: TicketTypePatch, from: Partial<TicketTypeState> = {}, isArchived = false) =>
  decideTicketTypeUpdate({ ...ticketType, ...from }, patch, { isArchived, groupIds: ['cgp_1'] });

const misordered = [{ field: 'closesAt', issue: 'must be after opensAt', code: 'invalid_value' }];

describe('decideTicketTypeUpdate', () => {
  test('returns unchanged for a patch without changes, also when the event or type is archived', () => {
    for (const patch of [{}, { name: 'Early bird' }, { ...ticketType }]) {
      expect(decide(patch)).toEqual({ outcome: 'unchanged' });
      expect(decide(patch, {}, true)).toEqual({ outcome: 'unchanged' });
    }
    expect(decide({ status: 'archived' }, { status: 'archived' })).toEqual({
      outcome: 'unchanged',
    });
  });

  test('changes only the fields that differ', () => {
    expect(decide({ name: 'Late bird', capacity: 100, sortOrder: 3 })).toEqual({
      outcome: 'changed',
      changes: { name: 'Late bird', sortOrder: 3 },
    });
  });

  test.each<[TicketTypePatch, string[]]>([
    [{ name: 'Gone' }, ['name']],
    [{ name: 'Gone', status: 'archived', capacity: 100 }, ['name']],
    [{ closesAt: at('08:00:00'), sortOrder: 3 }, ['closesAt', 'sortOrder']],
  ])('rejects %j for an archived type and names the fields', (patch, fields) => {
    expect(decide(patch, { status: 'archived' })).toEqual({ outcome: 'archived', fields });
    expect(decide(patch, { status: 'archived' }, true)).toEqual({ outcome: 'event_archived' });
  });

  test('accepts other fields together with a status transition', () => {
    for (const [from, to] of [
      ['open', 'closed'],
      ['closed', 'archived'],
    ] as const) {
      const patch = { name: 'Last call', status: to };
      expect(decide(patch, { status: from })).toEqual({ outcome: 'changed', changes: patch });
    }
  });

  test('rejects any change in an archived event before other errors', () => {
    for (const patch of [
      { name: 'x' },
      { status: 'closed' },
      { closesAt: at('08:00:00') },
    ] as const) {
      expect(decide(patch, {}, true)).toEqual({ outcome: 'event_archived' });
    }
  });
});

describe('the status', () => {
  const allowed = [
    'draft > open',
    'draft > archived',
    'open > closed',
    'open > archived',
    'closed > open',
    'closed > archived',
  ];
  const pairs = saleStatuses.flatMap((from) => saleStatuses.map((to) => [from, to] as const));

  test.each(pairs)('allows or rejects %s to %s', (from, to) => {
    const decision = decide({ status: to }, { status: from });
    if (from === to) expect(decision).toEqual({ outcome: 'unchanged' });
    else if (allowed.includes(`${from} > ${to}`)) {
      expect(decision).toEqual({ outcome: 'changed', changes: { status: to } });
    } else expect(decision).toEqual({ outcome: 'invalid_transition', from, to });
  });

  test('is validated before the sale window', () => {
    const decision = decide({ status: 'closed', closesAt: at('08:00:00') });
    expect(decision.outcome).toBe('invalid_transition');
  });
});

describe('the sale window', () => {
  test.each([
    ['closing before it opens', at('09:00:00'), at('08:59:59.999'), misordered],
    ['closing as it opens', at('09:00:00'), at('09:00:00'), misordered],
    ['closing a moment later', at('09:00:00'), at('09:00:00.001'), []],
    ['never closing', at('09:00:00'), null, []],
    ['always open until it closes', null, at('09:00:00'), []],
    ['always open', null, null, []],
  ])('%s', (_what, opensAt, closesAt, issues) => {
    expect(saleWindowIssues({ opensAt, closesAt })).toEqual(issues);
  });

  test.each<[string, TicketTypePatch, boolean]>([
    ['a new end before the old beginning', { closesAt: at('08:00:00') }, false],
    ['a new beginning after the old end', { opensAt: at('19:00:00') }, false],
    ['both in the wrong order', { opensAt: at('21:00:00'), closesAt: at('20:00:00') }, false],
    ['both in the right order', { opensAt: at('19:00:00'), closesAt: at('20:00:00') }, true],
    ['no beginning any more', { opensAt: null, closesAt: at('08:00:00') }, true],
    ['no end any more', { opensAt: at('19:00:00'), closesAt: null }, true],
  ])('is validated as it would be after the update: %s', (_what, patch, isFine) => {
    expect(decide(patch)).toEqual(
      isFine ? { outcome: 'changed', changes: patch } : { outcome: 'invalid', issues: misordered },
    );
  });
});

describe('the limits per order', () => {
  const contradiction = {
    field: 'maxPerOrder',
    issue: 'must be at least minPerOrder',
    code: 'invalid_value',
  };

  test.each([
    ['a maximum below the minimum', 3, 2, [contradiction]],
    ['a maximum that is the minimum', 3, 3, []],
    ['no maximum', 3, null, []],
    ['no minimum', null, 1, []],
    ['no limits', null, null, []],
  ])('%s', (_what, minPerOrder, maxPerOrder, issues) => {
    expect(perOrderIssues({ minPerOrder, maxPerOrder })).toEqual(issues);
  });

  test.each<[string, TicketTypePatch, boolean]>([
    ['a new maximum below the old minimum', { maxPerOrder: 1 }, false],
    ['a new minimum above the old maximum', { minPerOrder: 6 }, false],
    ['both in the right order', { minPerOrder: 6, maxPerOrder: 6 }, true],
    ['no minimum any more', { minPerOrder: null, maxPerOrder: 1 }, true],
    ['no maximum any more', { minPerOrder: 6, maxPerOrder: null }, true],
  ])('are validated as they would be after the update: %s', (_what, patch, isFine) => {
    expect(decide(patch)).toEqual(
      isFine
        ? { outcome: 'changed', changes: patch }
        : { outcome: 'invalid', issues: [contradiction] },
    );
  });
});

test('names a capacity group of its event, or none', () => {
  const issue = { field: 'capacityGroupId', issue: 'is not a capacity group of this event' };
  const invalid = { outcome: 'invalid', issues: [{ ...issue, code: 'not_found' }] };
  expect(decide({ capacityGroupId: 'cgp_2' })).toEqual(invalid);
  for (const capacityGroupId of ['cgp_1', null]) {
    const from = { capacityGroupId: 'cgp_removed' };
    expect(decide({ capacityGroupId }, from)).toMatchObject({ outcome: 'changed' });
  }
  expect(decide({ name: 'Other' }, { capacityGroupId: 'cgp_removed' })).toEqual({
    outcome: 'changed',
    changes: { name: 'Other' },
  });
});
