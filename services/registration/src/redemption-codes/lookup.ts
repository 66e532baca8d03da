import type { CodeLookup } from '@event-api/contracts/http/redemption-codes';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { eventSnapshot, ticketTypeSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { z } from 'zod';
import { findAvailability } from '../availability/availability.queries.ts';
import type { RegistrationDeps } from '../deps.ts';
import { findSourcesOfCode } from '../perks/perks.queries.ts';
import { loadPerkSources, loadPerks } from '../perks/resolve.ts';
import { findCodeByKey, type LookupRow } from './redemption-codes.queries.ts';
import { decideLookup, type LookupDecision, lookupKey } from './redemption-codes.rules.ts';
import { lookupView } from './redemption-codes.view.ts';

/**
 * Returns what a code unlocks: the ticket type, hidden or not, the perks of a registration with it,
 * and the price of a seat. Errors: an identical 404, after the same statements, for every code that
 * cannot be used once more and that the person with `email` does not use, and for one whose ticket
 * type or event is archived; 503 when the projections do not offer the ticket type and its owner is
 * unavailable.
 */
export async function lookupRedemptionCode(
  deps: RegistrationDeps,
  scope: EventScope,
  { code, email }: { code?: string | undefined; email?: string | undefined },
): Promise<z.input<typeof CodeLookup>> {
  const decision = await decide(deps, scope, lookupKey(code), email ?? null);
  if (decision.outcome !== 'found') throw notFound();
  const { row } = decision;
  const sources = await loadPerkSources(deps, scope, () =>
    findSourcesOfCode(deps.db, scope, row.id),
  );
  const { businessUnitId, eventId } = scope;
  const seats = await findAvailability(deps.db, businessUnitId, eventId, row.ticketTypeId);
  if (!seats) throw notFound();
  return lookupView(row, seats, await loadPerks(deps, scope, sources));
}

/** Refreshes the projections before a rejection that depends on them, and decides again. */
async function decide(
  { db, refresher }: RegistrationDeps,
  scope: EventScope,
  key: string,
  email: string | null,
): Promise<LookupDecision<LookupRow>> {
  const find = async () => decideLookup(await findCodeByKey(db, scope, key, email));
  const first = await find();
  if (first.outcome !== 'not_offered') return first;
  const { businessUnitId, eventId } = scope;
  await refresher.refresh([
    { type: eventSnapshot.type, businessUnitId, id: eventId },
    { type: ticketTypeSnapshot.type, businessUnitId, id: first.ticketTypeId },
  ]);
  return find();
}
