import type { EventScope } from '@event-api/contracts/internal/scope';
import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import type { Db } from '@event-api/platform/db/database';
import { notFound } from '@event-api/platform/errors';
import type { AskOwner } from '@event-api/platform/projections/ask-owner';
import { findPerks } from './queries.ts';
import type { KnownPerk } from './rules.ts';

/**
 * A perk of the event; one that is not known here is asked for before it is a 404. A perk stays in its
 * event for good, so that it may be looked for before any lock. Errors: 404, 503.
 */
export async function requirePerk(
  { db, askOwner }: { db: Db; askOwner: AskOwner },
  scope: EventScope,
  perkId: string,
): Promise<KnownPerk> {
  const find = async () => (await findPerks(db, scope, [perkId]))[0];
  const known = await find();
  if (known) return known;
  const { businessUnitId } = scope;
  await askOwner.refresh([{ type: perkSnapshot.type, businessUnitId, id: perkId }]);
  const asked = await find();
  if (!asked) throw notFound('perk');
  return asked;
}
