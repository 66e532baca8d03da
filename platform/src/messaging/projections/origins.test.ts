import { describe, expect, test } from 'vitest';
import type { StreamMessage } from '../bus/consumer.ts';
import {
  decideFollow,
  decideOtherLineages,
  findOtherLineages,
  type OriginStates,
  withoutOtherLineages,
  worstStatus,
} from './origins.ts';

const state = (lineage: string | null, status: 'confirmed' | 'unconfirmed' | 'different') => ({
  catalog: { lineage, status },
});

describe('decideFollow', () => {
  test.each([
    ['the same lineage', state('L1', 'confirmed'), 'L1', 'follow', state('L1', 'confirmed')],
    ['another lineage', state('L1', 'confirmed'), 'L2', 'resync', state('L1', 'different')],
    ['no response', state('L1', 'confirmed'), null, 'follow', state('L1', 'unconfirmed')],
    ['a response later', state('L1', 'unconfirmed'), 'L1', 'follow', state('L1', 'confirmed')],
    [
      'no response while it is known to differ',
      state('L1', 'different'),
      null,
      'resync',
      state('L1', 'different'),
    ],
    ['a first response', {}, 'L1', 'resync', state(null, 'unconfirmed')],
    ['never a response', {}, null, 'follow', state(null, 'unconfirmed')],
  ] as const)('%s', (_case, stored, lineage, outcome, states) => {
    expect(decideFollow(stored, { catalog: lineage })).toEqual({ outcome, states });
  });

  test('one different origin is enough', () => {
    const stored: OriginStates = {
      catalog: { lineage: 'L1', status: 'confirmed' },
      registration: { lineage: 'R1', status: 'confirmed' },
    };
    expect(decideFollow(stored, { catalog: 'L1', registration: 'R2' })).toEqual({
      outcome: 'resync',
      states: {
        catalog: { lineage: 'L1', status: 'confirmed' },
        registration: { lineage: 'R1', status: 'different' },
      },
    });
  });
});

const message = (lineage: string | null, data = '[]'): StreamMessage => ({
  seq: 1,
  subject: 'snapshot.catalog',
  data,
  traceparents: [],
  lineage,
  previousLineage: null,
  outboxIds: [],
});

describe('findOtherLineages', () => {
  const marker = '[{"type":"catalog.rewound"}]';
  const known = state('L1', 'confirmed');

  test.each([
    ['its own lineage', message('L1'), known, false],
    ['another lineage', message('L2'), known, true],
    ['no lineage', message(null), known, false],
    ['any lineage while none is known', message('L2'), state(null, 'unconfirmed'), false],
    ['a marker while none is known', message('L2', marker), state(null, 'unconfirmed'), true],
    ['the marker of its own lineage', message('L1', marker), known, false],
    ['another subject', { ...message('L2'), subject: 'snapshot.registration' }, known, false],
  ])('%s', (_case, one, states, isOther) => {
    const found = findOtherLineages([message('L1'), one, one], states);
    expect(found).toEqual(isOther ? [{ origin: 'catalog', lineage: 'L2' }] : []);
  });
});

describe('decideOtherLineages', () => {
  test.each([
    ['the owner has it now', 'L2', { lineage: 'L2', previousLineage: 'L1' }, 'resync'],
    ['the owner has a third one', 'L2', { lineage: 'L3', previousLineage: 'L2' }, 'resync'],
    ['the owner had it before', 'L0', { lineage: 'L1', previousLineage: 'L0' }, 'resync'],
    ['the owner does not respond', 'L2', null, 'resync'],
    ['the owner does not store the one before', 'L2', { lineage: 'L1' }, 'resync'],
    ['the owner never had it', 'L2', { lineage: 'L1', previousLineage: null }, 'ignore'],
    ['the owner had only others', 'L2', { lineage: 'L1', previousLineage: 'L0' }, 'ignore'],
  ] as const)('%s', (_case, lineage, owner, outcome) => {
    const states = state('L1', 'confirmed');
    const decision = decideOtherLineages(states, [{ origin: 'catalog', lineage }], {
      catalog: owner,
    });
    expect(decision).toEqual(
      outcome === 'ignore' ? { outcome } : { outcome, states: state('L1', 'different') },
    );
  });

  test('messages of other lineages are not applied, those of releases without lineages are', () => {
    const [own, other, old] = [message('L1'), message('L2'), message(null)];
    const applied = (states: OriginStates) => withoutOtherLineages([own, other, old], states);
    expect(applied(state('L1', 'confirmed'))).toEqual([own, old]);
    expect(applied(state(null, 'unconfirmed'))).toEqual([own, other, old]);
  });
});

test.each([
  [state('L1', 'confirmed'), false, 'confirmed'],
  [state('L1', 'confirmed'), true, 'unconfirmed'],
  [state('L1', 'unconfirmed'), false, 'unconfirmed'],
  [state('L1', 'different'), true, 'different'],
  [{}, false, 'unconfirmed'],
] as const)(
  'the projections of %o, with a pending resync: %s, are %s',
  (states, isPending, expected) => {
    expect(worstStatus(states, ['catalog'], isPending)).toBe(expected);
  },
);
