import { hash } from 'node:crypto';
import type { getRoster, RosterDoor } from '@event-api/contracts/http/roster';
import type { z } from 'zod';
import { codeHashOf } from '../code-hash.ts';
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

export const rosterDoorView = ({ gates, ...door }: DoorWithGates): RosterDoor => ({
  ...door,
  gates: gates.map(({ perkIds }) => [...perkIds]),
});

/** What is equal for equal parts of a roster. */
export const digestOf = (part: unknown): string =>
  hash('sha256', JSON.stringify(part), 'base64url').slice(0, 22);
