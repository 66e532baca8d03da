import { expect, test } from 'vitest';
import type { UnsentScan } from './database.ts';
import { unrecordedOf } from './unrecorded.ts';

const scan = (
  scanId: string,
  decision: UnsentScan['decision'],
  shown: UnsentScan['shown'],
  offsetMs: number | null = 1000,
): UnsentScan => ({
  ...{ scanId, decision, shown, eventId: 'evt_1', eventName: 'Summit', rosterCursor: 'r' },
  door: { subjectType: 'event', subjectId: 'evt_1', name: null },
  moment: { wallMs: 0, offsetMs } as UnsentScan['moment'],
});

const code = { checkinCode: 'CHK-1' };
const invalid = { result: 'invalid' as const, reason: 'UNKNOWN_BADGE' as const, issues: [] };

test.each([
  ['an admission by a code', scan('s', 'admitted', code), { ...invalid }, 'CHK-1'],
  [
    'an admission by name',
    scan('s', 'admitted', { registrationId: 'reg_1' }),
    { ...invalid },
    'reg_1',
  ],
  ['a refusal', scan('s', 'refused', code), { ...invalid }, null],
  [
    'an admission that is logged',
    scan('s', 'admitted', code),
    { result: 'logged', wouldAdmit: true, rosterWasCurrent: null } as const,
    null,
  ],
  [
    'an admission that is sent again',
    scan('s', 'admitted', code),
    { result: 'retry' } as const,
    null,
  ],
])(
  '%s whose result came is kept for the staff only if it is not recorded',
  (_, sent, result, shown) => {
    expect(unrecordedOf([sent], [{ scanId: 's', ...result }])).toEqual(
      shown === null
        ? []
        : [{ scanId: 's', shown, at: '1970-01-01T00:00:01.000Z', reason: 'UNKNOWN_BADGE' }],
    );
  },
);

test('results belong to their scans, and a time that is not known is null', () => {
  const scans = [
    scan('a', 'admitted', code),
    scan('b', 'admitted', { checkinCode: 'CHK-2' }, null),
  ];
  const results = [{ ...invalid, scanId: 'b', reason: 'SCAN_ID_REUSED' as const }];
  expect(unrecordedOf(scans, results)).toEqual([
    { scanId: 'b', shown: 'CHK-2', at: null, reason: 'SCAN_ID_REUSED' },
  ]);
});
