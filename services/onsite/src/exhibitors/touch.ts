import type { Tx } from '@event-api/platform/db/database';
import { nextVersionSql } from '@event-api/platform/db/row-version';
import { statement } from '@event-api/platform/db/statement';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { InferEntity } from '@mikro-orm/core';
import { exhibitorChanged } from '../changes/record-changes.ts';
import type { Exhibitor } from './exhibitor.entity.ts';

const touch = statement<{ version: number }>(
  'exhibitor_touch',
  `update onsite.exhibitor set version = ${nextVersionSql}
   where (business_unit_id = $1) is true and (event_id = $2) is true and id = $3 returning version`,
);

/**
 * Gives an exhibitor whose roster or booths have changed a new version. The caller holds its lock.
 * Reports: `exhibitor.updated`.
 */
export async function touchExhibitor(
  tx: Tx,
  exhibitor: InferEntity<typeof Exhibitor>,
): Promise<void> {
  const { businessUnitId, eventId, id, status } = exhibitor;
  const [touched] = await tx.query(touch, [businessUnitId, eventId, id]);
  if (!touched) throw new Error('failed to update a locked exhibitor');
  writeChanges(tx, [exhibitorChanged({ ...exhibitor, ...touched }, status)]);
}
