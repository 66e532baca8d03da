import { describe, expect, test } from 'vitest';
import { compareWithStream, decideRewind, lookBackSequences } from './rewind.ts';

const state = { lineage: 'one', incarnation: 'monday', confirmedSeq: 40 };
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

test.each([
  [{ missingRows: 0, hasMissedOwnRow: false }, 'confirmed'],
  [{ missingRows: 1, hasMissedOwnRow: false }, 'rewound'],
  [{ missingRows: 0, hasMissedOwnRow: true }, 'rewound'],
  [{ missingRows: 3, hasMissedOwnRow: true }, 'rewound'],
] as const)('a database with %o is %s up to the end that was read', (facts, outcome) => {
  expect(decideRewind({ ownEnd: 45, ...facts })).toEqual({ outcome, confirmedSeq: 45 });
});
