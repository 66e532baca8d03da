import type { Conflict } from '@event-api/contracts/operator/conflicts';
import type { z } from 'zod';
import { checkinView } from '../checkins.view.ts';
import { sourceOf } from '../source.ts';
import type { ConflictRow } from './conflicts.queries.ts';

/** The response body of a conflict. */
export function conflictView(row: ConflictRow): z.input<typeof Conflict> {
  const described = {
    id: row.conflictId,
    recordedAt: row.recordedAt.toISOString(),
    checkin: checkinView(row),
    name: row.name,
  };
  if (row.kind === 'undone') {
    const { undoneBy, undoReason } = row;
    return {
      kind: 'undone',
      ...described,
      source: sourceOf({ actor: undoneBy }).id,
      reason: undoReason,
    };
  }
  const { result, source } = row;
  const scan = { ...described, source, occurredAt: row.occurredAt.toISOString() };
  if (result.result === 'contested') {
    const { other, first } = result;
    return {
      kind: 'contested',
      ...scan,
      other: { source: other.source, occurredAt: other.occurredAt },
      first,
    };
  }
  if (result.result !== 'overruled') throw new Error('the scan is no conflict');
  return { kind: 'overruled', ...scan, reason: result.reason };
}
