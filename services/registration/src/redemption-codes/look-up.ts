import type { CodeLookup } from '@event-api/contracts/http/redemption-codes';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/errors';
import type { z } from 'zod';
import { isUsable } from '../admission/rules.ts';
import { completePerks, completeSources } from '../perks/complete.ts';
import { findSourcesOfCode } from '../perks/queries.ts';
import type { RegistrationDeps } from '../registrations/create.ts';
import { findCodeByKey } from './queries.ts';
import { lookupKey } from './rules.ts';
import { lookupView } from './view.ts';

/**
 * What a code unlocks for whoever has it: the ticket type, hidden or not, the perks of an admission
 * with it, and the price of a seat. Errors: one 404 for every code that could not be used once more,
 * whatever is wrong with it, after the same statements.
 */
export async function lookUpRedemptionCode(
  deps: RegistrationDeps,
  scope: EventScope,
  typed: string | undefined,
): Promise<z.input<typeof CodeLookup>> {
  const { db, askOwner } = deps;
  const find = () => findCodeByKey(db, scope, lookupKey(typed));
  let row = await find();
  if (!row || !isUsable(row, row.now, 1)) throw notFound();
  if (!row.type) {
    const { businessUnitId } = scope;
    await askOwner.refresh([
      { type: ticketTypeSnapshot.type, businessUnitId, id: row.ticketTypeId },
    ]);
    row = await find();
  }
  if (!row?.type) throw notFound();
  const { id, type } = row;
  const sources = await completeSources(deps, scope, () => findSourcesOfCode(db, scope, id));
  return lookupView({ ...row, type }, await completePerks(deps, scope, sources));
}
