import { hash } from 'node:crypto';
import { limits } from '@event-api/contracts/http/fields';
import type { getRoster, RosterDoor } from '@event-api/contracts/http/roster';
import type { z } from 'zod';
import { codeHashOf } from '../code-hash.ts';
import type { RosterCheckinRow } from './checkins.queries.ts';
import type { DoorWithGates, RosterRow } from './roster.queries.ts';

export type Roster = z.input<(typeof getRoster.schema.response)[200]>;

/** A badge of the roster, without its code. */
export function rosterBadgeView(row: RosterRow, withName: boolean): Roster['badges'][number] {
  if (row.isRemoved) return { registrationId: row.id, removed: true };
  return {
    registrationId: row.id,
    codeHash: codeHashOf(row.checkinCode),
    replacedCodeHashes: row.replacedCheckinCodes.map(codeHashOf),
    status: row.status,
    sourceIds: [...row.sourceIds],
    grantedPerkIds: [...row.grantedPerkIds],
    name: withName ? row.name : null,
  };
}

/** A check-in of the roster. One that was undone does not count. */
export function rosterCheckinView(row: RosterCheckinRow): Roster['checkins'][number] {
  const { checkinId, registrationId, subjectType, subjectId, codeHash } = row;
  const checkin = { checkinId, registrationId, subjectType, subjectId };
  if (row.undoneAt) return { ...checkin, removed: true };
  return { ...checkin, checkedInAt: row.checkedInAt.toISOString(), codeHash };
}

export const rosterDoorView = ({ gates, ...door }: DoorWithGates): RosterDoor => ({
  ...door,
  gates: gates.map(({ perkIds }) => [...perkIds]),
});

/** The first rows that fit on a page, at least one. */
export function fitting<Row extends object>(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    return index > 0 && bytes > maxPartBytes;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** A page has badges and check-ins. */
const maxPartBytes = limits.pageBytes / 2;

/** What is equal for equal parts of a roster. */
export const digestOf = (part: unknown): string =>
  hash('sha256', JSON.stringify(part), 'base64url').slice(0, 22);
