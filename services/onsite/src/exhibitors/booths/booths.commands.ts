import type * as operations from '@event-api/contracts/operator/exhibitors';
import { referenceNotFound } from '@event-api/platform/core/errors';
import { newId } from '@event-api/platform/core/ids';
import { lockRecord } from '@event-api/platform/db/record';
import { isRetry } from '@event-api/platform/http/idempotency/scope';
import type { z } from 'zod';
import { boothTaken } from '../../errors.ts';
import type { ProgramDeps } from '../../program/deps.ts';
import { refreshEvent } from '../../projections/refresh-event.ts';
import { hasVenue } from '../../venues/venues.queries.ts';
import { Exhibitor } from '../exhibitor.entity.ts';
import { type ExhibitorRow, readExhibitor } from '../exhibitors.queries.ts';
import { touchExhibitor } from '../touch.ts';
import { insertBooth, removeBooth } from './booths.queries.ts';

/**
 * Allocates a booth to an exhibitor. Errors: 404 for an unknown exhibitor, and for a venue that the
 * event does not have; 409 when the event already has a booth with this number; 503. Locks: the
 * venue, shared, then the exhibitor.
 * Reports: `exhibitor.updated`.
 */
export async function allocateBooth(
  deps: ProgramDeps,
  input: z.output<typeof operations.allocateBooth.schema.body>,
): Promise<ExhibitorRow> {
  await refreshEvent(deps, input);
  const { exhibitorId, venueId } = input;
  const id = newId('booth');
  return deps.db.transaction(async (tx) => {
    const venueExists = venueId === null || (await hasVenue(tx, input, venueId));
    const exhibitor = await lockRecord(tx, Exhibitor, input, exhibitorId, 'exhibitor');
    if (isRetry()) {
      const current = await readExhibitor(tx, input, exhibitorId);
      if (current.booths.some((booth) => booth.id === id)) return current;
    }
    if (!venueExists) throw referenceNotFound('venueId');
    const isAllocated = await insertBooth(tx, input, { ...input, id });
    if (!isAllocated) throw boothTaken();
    await touchExhibitor(tx, exhibitor);
    return readExhibitor(tx, input, exhibitorId);
  });
}

/**
 * Releases a booth. A booth that the exhibitor does not have changes nothing. Errors: 404; 503.
 * Locks: the exhibitor.
 * Reports: `exhibitor.updated`.
 */
export async function releaseBooth(
  deps: ProgramDeps,
  input: z.output<typeof operations.releaseBooth.schema.body>,
): Promise<ExhibitorRow> {
  await refreshEvent(deps, input);
  return deps.db.transaction(async (tx) => {
    const exhibitor = await lockRecord(tx, Exhibitor, input, input.exhibitorId, 'exhibitor');
    if (await removeBooth(tx, input, input)) await touchExhibitor(tx, exhibitor);
    return readExhibitor(tx, input, input.exhibitorId);
  });
}
