import type * as operations from '@event-api/contracts/operator/exhibitors';
import { notFound } from '@event-api/platform/core/errors';
import { lockRecord } from '@event-api/platform/db/record';
import type { z } from 'zod';
import { alreadyStaffsExhibitor } from '../../errors.ts';
import type { ProgramDeps } from '../../program/deps.ts';
import { registrationExists } from '../../projections/find-missing.ts';
import { refreshEvent } from '../../projections/refresh-event.ts';
import { Exhibitor } from '../exhibitor.entity.ts';
import { type ExhibitorRow, readExhibitor } from '../exhibitors.queries.ts';
import { touchExhibitor } from '../touch.ts';
import { removeMemberRow, writeMember } from './roster.queries.ts';

/**
 * Adds a registration to an exhibitor's roster, or changes its role there. Errors: 404 for an
 * unknown exhibitor or registration; 409 when the registration staffs another exhibitor; 503.
 * Locks: the exhibitor. Reports: `exhibitor.updated`, unless the member has that role.
 */
export async function addMember(
  deps: ProgramDeps,
  input: z.output<typeof operations.addMember.schema.body>,
): Promise<ExhibitorRow> {
  await refreshEvent(deps, input);
  if (!(await registrationExists(deps, input, input.registrationId)))
    throw notFound('registration');
  return deps.db.transaction(async (tx) => {
    const exhibitor = await lockRecord(tx, Exhibitor, input, input.exhibitorId, 'exhibitor');
    const written = await writeMember(tx, input, input);
    if (written === 'staffs_another') throw alreadyStaffsExhibitor();
    if (written === 'changed') await touchExhibitor(tx, exhibitor);
    return readExhibitor(tx, input, input.exhibitorId);
  });
}

/**
 * Removes a registration from a roster. A registration that is not on it changes nothing. Errors:
 * 404; 503. Locks: the exhibitor. Reports: `exhibitor.updated`.
 */
export async function removeMember(
  deps: ProgramDeps,
  input: z.output<typeof operations.removeMember.schema.body>,
): Promise<ExhibitorRow> {
  await refreshEvent(deps, input);
  return deps.db.transaction(async (tx) => {
    const exhibitor = await lockRecord(tx, Exhibitor, input, input.exhibitorId, 'exhibitor');
    if (await removeMemberRow(tx, input, input)) await touchExhibitor(tx, exhibitor);
    return readExhibitor(tx, input, input.exhibitorId);
  });
}
