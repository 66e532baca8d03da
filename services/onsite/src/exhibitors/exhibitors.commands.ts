import type { ExhibitorStatus } from '@event-api/contracts/http/exhibitors';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type * as operations from '@event-api/contracts/operator/exhibitors';
import { newId } from '@event-api/platform/core/ids';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import { writeChanges } from '@event-api/platform/messaging/changes/write';
import type { z } from 'zod';
import { exhibitorChanged, exhibitorCreated } from '../changes/record-changes.ts';
import type { ProgramDeps } from '../program/deps.ts';
import { changedFields } from '../program/fields.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import { Exhibitor } from './exhibitor.entity.ts';
import { type ExhibitorRow, findExhibitor, readExhibitor } from './exhibitors.queries.ts';

type Create = z.output<typeof operations.createExhibitor.schema.body>;
type Update = z.output<typeof operations.updateExhibitor.schema.body>;

/**
 * Creates an exhibitor with the status `pending`, without roster and booths. Errors: 404 for the
 * event; 503. Reports: `exhibitor.created`.
 */
export async function createExhibitor(deps: ProgramDeps, input: Create): Promise<ExhibitorRow> {
  await refreshEvent(deps, input);
  const id = newId('exh');
  const created = isRetry() && (await findExhibitor(deps.db, input, id));
  if (created) return created;
  return deps.db.transaction(async (tx) => {
    const exhibitor = tx.em.create(Exhibitor, { ...input, id, status: 'pending' });
    await tx.em.flush();
    writeChanges(tx, [exhibitorCreated(exhibitor)]);
    return readExhibitor(tx, input, id);
  });
}

/**
 * Changes an exhibitor's profile; fields left out stay. A patch that changes nothing writes
 * nothing. Errors: 404; 503. Locks: the exhibitor. Reports: `exhibitor.updated`.
 */
export const updateExhibitor = (
  deps: ProgramDeps,
  { exhibitorId, ...input }: Update,
): Promise<ExhibitorRow> => change(deps, input, exhibitorId, input);

/**
 * Confirms or declines an exhibitor of any status. Errors: 404; 503. Locks: the exhibitor. Reports:
 * `exhibitor.confirmed` or `exhibitor.declined`, unless it has that status.
 */
export const setExhibitorStatus = (
  deps: ProgramDeps,
  { exhibitorId, ...scope }: EventScope & { exhibitorId: string },
  status: ExhibitorStatus,
): Promise<ExhibitorRow> => change(deps, scope, exhibitorId, { status });

async function change(
  deps: ProgramDeps,
  scope: EventScope,
  exhibitorId: string,
  patch: Omit<Update, 'exhibitorId'> | { status: ExhibitorStatus },
): Promise<ExhibitorRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const exhibitor = await lockRecord(tx, Exhibitor, scope, exhibitorId, 'exhibitor');
    const changes = changedFields(exhibitor, patch);
    if (Object.keys(changes).length > 0) {
      const previous = exhibitor.status;
      tx.em.assign(exhibitor, changes);
      await tx.em.flush();
      writeChanges(tx, [exhibitorChanged(exhibitor, previous)]);
    }
    return readExhibitor(tx, scope, exhibitorId);
  });
}
