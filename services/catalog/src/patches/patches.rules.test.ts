import type { SaleStatus } from '@event-api/contracts/http/ticket-types';
import { movesInGuides, movesOf } from '@event-api/platform/testing/state-diagrams';
import { describe, expect, test } from 'vitest';
import { changedFields, decideSaleUpdate, saleTransitions } from './patches.rules.ts';

const current = {
  name: 'Summit',
  note: null as string | null,
  count: 0,
  isOpen: false,
  at: new Date('2027-05-10T07:00:00Z') as Date | null,
};
type Patch = { [K in keyof typeof current]?: (typeof current)[K] | undefined };

describe('changedFields', () => {
  test.each<[string, Patch, Patch]>([
    ['nothing', {}, {}],
    ['fields that are undefined', { name: undefined, at: undefined }, {}],
    ['all current values', { ...current }, {}],
    ['the same instant', { at: new Date('2027-05-10T09:00:00+02:00') }, {}],
    [
      'a millisecond more',
      { at: new Date(1_809_932_400_001) },
      { at: new Date(1_809_932_400_001) },
    ],
    ['null for a value', { at: null }, { at: null }],
    ['a value for null', { note: '' }, { note: '' }],
    ['null for null', { note: null }, {}],
    [
      'falsy values that differ',
      { name: '', count: 1, isOpen: true },
      { name: '', count: 1, isOpen: true },
    ],
    ['falsy values that do not', { count: 0, isOpen: false }, {}],
    ['some of each', { name: 'Other', count: 0 }, { name: 'Other' }],
  ])('returns the changes for %s', (_what, patch, changes) => {
    expect(changedFields(current, patch)).toEqual(changes);
  });

  test('ignores fields that the record does not have', () => {
    const patch = { name: 'Other', colour: 'red', __proto__: { polluted: 1 } } as Patch;
    expect(changedFields(current, patch)).toEqual({ name: 'Other' });
  });

  test('mutates neither the record nor the patch', () => {
    const record = Object.freeze({ ...current });
    const patch = Object.freeze({ name: 'Other' });
    expect(changedFields(record, patch)).not.toBe(patch);
    expect(record.name).toBe('Summit');
  });
});

test('contains exactly the allowed status transitions', () => {
  const all: SaleStatus[] = ['draft', 'open', 'closed', 'archived'];
  const moves = all.flatMap((from) => saleTransitions[from].map((to) => `${from} > ${to}`));
  expect(moves).toEqual([
    'draft > open',
    'draft > archived',
    'open > closed',
    'open > archived',
    'closed > open',
    'closed > archived',
  ]);
});

test('the diagram of the guide shows exactly these transitions', () => {
  expect(movesInGuides('codes-add-ons-and-bundles')).toEqual(movesOf(saleTransitions));
});

describe('decideSaleUpdate', () => {
  const item = { name: 'Dinner', status: 'open' as SaleStatus };
  const archived = { ...item, status: 'archived' as SaleStatus };

  test.each([
    ['nothing', item, { name: 'Dinner' }, true, { outcome: 'unchanged' }],
    [
      'other fields',
      item,
      { name: 'Lunch' },
      false,
      { outcome: 'changed', changes: { name: 'Lunch' } },
    ],
    [
      'the status',
      item,
      { status: 'closed' },
      false,
      { outcome: 'changed', changes: { status: 'closed' } },
    ],
    [
      'anything in an archived event',
      item,
      { status: 'draft' },
      true,
      { outcome: 'event_archived' },
    ],
    [
      'the status back to a draft',
      item,
      { status: 'draft' },
      false,
      { outcome: 'invalid_transition', from: 'open', to: 'draft' },
    ],
    [
      'the status of an archived item',
      archived,
      { status: 'open' },
      false,
      { outcome: 'invalid_transition', from: 'archived', to: 'open' },
    ],
    [
      'other fields of an archived item',
      archived,
      { name: 'Lunch' },
      false,
      { outcome: 'archived', fields: ['name'] },
    ],
  ] as const)('decides a patch of %s', (_what, current, patch, eventIsArchived, decision) => {
    expect(decideSaleUpdate(current, patch, eventIsArchived)).toEqual(decision);
  });
});
