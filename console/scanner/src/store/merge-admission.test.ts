import { expect, test } from 'vitest';
import type { Admission } from './database.ts';
import { type CheckinChange, mergeAdmission } from './merge-admission.ts';

const at = '2027-05-10T08:00:00.000Z';
const door = { registrationId: 'reg_1', subjectType: 'event', subjectId: 'evt_1' } as const;
const made = (checkinId: string): CheckinChange => ({
  ...{ ...door, checkinId, checkedInAt: at, codeHash: 'hash' },
});
const undone = (checkinId: string): CheckinChange => ({ ...door, checkinId, removed: true });
const admission = (fields: Partial<Admission>): Admission => ({
  ...{ eventId: 'evt_1', at, scanId: null, checkinId: null, codeHash: 'hash' },
  ...fields,
});
const own = admission({ scanId: 'scan_1' });
const known = (checkinId: string) => admission({ checkinId });

test.each<[string, Admission | null, CheckinChange, boolean, Admission | null]>([
  ['a check-in of another device is remembered', null, made('chk_1'), false, known('chk_1')],
  ['a check-in takes the place of a sent scan', own, made('chk_1'), false, known('chk_1')],
  ['a scan that is not sent stays', own, made('chk_1'), true, own],
  ['a scan that is not sent stays after an undo of another one', own, undone('chk_1'), true, own],
  ['an undone check-in is forgotten', known('chk_1'), undone('chk_1'), false, null],
  [
    'the undo of an earlier check-in changes nothing',
    known('chk_2'),
    undone('chk_1'),
    false,
    known('chk_2'),
  ],
  ['a sent scan whose check-in was undone is forgotten', own, undone('chk_1'), false, null],
  ['an undo of what is not known changes nothing', null, undone('chk_1'), false, null],
])('%s', (_, current, change, isUnsent, after) => {
  expect(mergeAdmission(current, change, { eventId: 'evt_1', isUnsent })).toEqual(after);
});
