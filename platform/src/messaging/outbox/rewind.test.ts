import { describe, expect, test } from 'vitest';
import { compareWithStream, decideRewind, lookBackSequences, type MissingRows } from './rewind.ts';

const state = { lineage: 'one', previousLineage: 'zero', incarnation: 'monday', confirmedSeq: 40 };
const stream = { createdAt: 'monday', ownEnd: 40, hasLostMessages: false };

describe('compareWithStream', () => {
  test.each([
    ['nothing was published since', {}, { outcome: 'same_stream', after: 40 }],
    ['messages were published since', { ownEnd: 45 }, { outcome: 'same_stream', after: 40 }],
    ['the stream was recreated', { createdAt: 'tuesday' }, { outcome: 'other_stream', after: 0 }],
    ['the stream has lost its end', { ownEnd: 39 }, { outcome: 'other_stream', after: 0 }],
    [
      'the stream has lost its end and reuses sequences',
      { ownEnd: 45, hasLostMessages: true },
      { outcome: 'other_stream', after: 0 },
    ],
    ['the stream is empty', { ownEnd: 0 }, { outcome: 'other_stream', after: 0 }],
    [
      'another stream is long',
      { createdAt: 'tuesday', ownEnd: lookBackSequences + 7 },
      { outcome: 'other_stream', after: 7 },
    ],
  ])('%s', (_case, facts, expected) => {
    expect(compareWithStream(state, { ...stream, ...facts })).toEqual(expected);
  });

  test('a database that has never seen a stream looks at the end of this one', () => {
    const first = { ...state, incarnation: '', confirmedSeq: 0 };
    const facts = { ...stream, ownEnd: lookBackSequences + 1 };
    expect(compareWithStream(first, facts)).toEqual({ outcome: 'other_stream', after: 1 });
  });
});

const of = (lineage: string | null, previousLineage: string | null = null): MissingRows => ({
  lineage,
  previousLineage,
  rows: 2,
});
const rewound = (lostRows: number) => ({ outcome: 'rewound', confirmedSeq: 45, lostRows });
const shared = (...lineages: string[]) => ({ outcome: 'shared', confirmedSeq: 45, lineages });

describe('decideRewind', () => {
  test.each<[string, Partial<Parameters<typeof decideRewind>[0]>, object]>([
    ['no row is missing', {}, { outcome: 'confirmed', confirmedSeq: 45 }],
    ['a row of its lineage is missing', { missing: [of('one')] }, rewound(2)],
    ['a row of the lineage before is missing', { missing: [of('zero')] }, rewound(2)],
    ['a row of a release without lineages is missing', { missing: [of(null)] }, rewound(2)],
    ['an own row could not be marked', { hasMissedOwnRow: true }, rewound(0)],
    ['its lineage was replaced after the backup', { missing: [of('two', 'one')] }, rewound(2)],
    [
      'its lineage was replaced twice after the backup',
      { missing: [of('two', 'one'), of('three', 'two')] },
      rewound(4),
    ],
    ['another database publishes', { missing: [of('other')] }, shared('other')],
    [
      'another database publishes that was put back itself',
      { missing: [of('other'), of('other two', 'other')] },
      shared('other', 'other two'),
    ],
    [
      'a database that was once a copy of this one publishes',
      { missing: [of('copy', 'zero')] },
      shared('copy'),
    ],
    [
      'another database publishes, and rows are missing',
      { missing: [of('other'), of('one')] },
      rewound(2),
    ],
    [
      'another database has published before this one was created',
      { missing: [of('other')], state: { ...state, incarnation: '' } },
      rewound(2),
    ],
  ])('%s', (_case, facts, decision) => {
    const all = { state, ownEnd: 45, missing: [], hasMissedOwnRow: false, ...facts };
    expect(decideRewind(all)).toEqual(decision);
  });
});
