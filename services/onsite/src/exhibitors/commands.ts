import type { ExhibitorStatus } from '@event-api/contracts/http/exhibitors';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type * as operations from '@event-api/contracts/operator/exhibitors';
import { newId } from '@event-api/platform/core/ids';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import type { ProgramDeps } from '../program/deps.ts';
import { applyPatch } from '../program/rules.ts';
import { refreshEvent } from '../projections/refresh-event.ts';
import {
  type ExhibitorFields,
  type ExhibitorRow,
  findExhibitor,
  lockExhibitor,
  readExhibitor,
  writeExhibitor,
} from './queries.ts';

type Create = z.output<typeof operations.createExhibitor.schema.body>;
type Update = z.output<typeof operations.updateExhibitor.schema.body>;

/** Creates an exhibitor with the status `pending`, without roster and booths. Errors: 404 for the event; 503. */
export async function createExhibitor(deps: ProgramDeps, input: Create): Promise<ExhibitorRow> {
  await refreshEvent(deps, input);
  const id = newId('exh');
  const created = isRetry() && (await findExhibitor(deps.db, input, id));
  if (created) return created;
  return deps.db.transaction(async (tx) => {
    await writeExhibitor(tx, input, id, { ...input, status: 'pending' }, true);
    return readExhibitor(tx, input, id);
  });
}

/** Changes an exhibitor's profile; fields left out stay. Errors: 404; 503. Locks: the exhibitor. */
export const updateExhibitor = (
  deps: ProgramDeps,
  { exhibitorId, ...input }: Update,
): Promise<ExhibitorRow> => change(deps, input, exhibitorId, input);

/** Confirms or declines an exhibitor of any status. Errors: 404; 503. Locks: the exhibitor. */
export const setExhibitorStatus = (
  deps: ProgramDeps,
  { exhibitorId, ...scope }: EventScope & { exhibitorId: string },
  status: ExhibitorStatus,
): Promise<ExhibitorRow> => change(deps, scope, exhibitorId, { status });

async function change(
  deps: ProgramDeps,
  scope: EventScope,
  exhibitorId: string,
  patch: { [K in keyof ExhibitorFields]?: ExhibitorFields[K] | undefined },
): Promise<ExhibitorRow> {
  await refreshEvent(deps, scope);
  return deps.db.transaction(async (tx) => {
    const current = await lockExhibitor(tx, scope, exhibitorId);
    await writeExhibitor(tx, scope, exhibitorId, applyPatch(current, patch), false);
    return readExhibitor(tx, scope, exhibitorId);
  });
}
