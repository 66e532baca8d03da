import { type ChangeState, type ChangeType, objectTypeOf } from '@event-api/contracts/changes';
import { currentActor } from '@event-api/platform/core/actor';
import { randomId } from '@event-api/platform/core/ids';
import type { Tx } from '@event-api/platform/db/database';
import { insertChanges, lockOrCreateHeads, writeHeads } from './feed.queries.ts';
import { assignSequences } from './sequence.ts';

/** A change of a record of this service. */
export interface OwnChange {
  businessUnitId: string;
  type: ChangeType;
  objectId: string;
  version: number;
  occurredAt: Date;
  previous: ChangeState | null;
  current: ChangeState | null;
}

/**
 * Adds a change of a record of this service to the feed, with the actor of the current request or
 * job. It needs no log: the feed is in the same database. After the commit the caller sends the
 * notice of the feed. Locks: the end of the feed. The caller locks or writes the record before.
 */
export async function appendOwnChange(tx: Tx, change: OwnChange): Promise<void> {
  const { businessUnitId, type, objectId, version, occurredAt, previous, current } = change;
  const heads = await lockOrCreateHeads(tx, [businessUnitId]);
  const body = {
    id: randomId('chg'),
    type,
    eventId: null,
    object: { type: objectTypeOf(type), id: objectId, version },
    previous,
    current,
    actor: currentActor(),
  };
  const page = [{ businessUnitId, number: 0, occurredAt: occurredAt.toISOString(), change: body }];
  const { changes, moved } = assignSequences(heads, page);
  insertChanges(tx, 'changes', changes);
  writeHeads(tx, moved);
}
