import type { EventScope } from '@event-api/contracts/internal/scope';
import { perkSnapshot } from '@event-api/contracts/messages/catalog';
import { notFound } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { findPerks } from './queries.ts';
import type { PerkDetails } from './rules.ts';

/**
 * A perk of the event; one that is not known here is asked for before it is a 404. A perk stays in its
 * event for good, so that it may be looked for before any lock. Errors: 404, 503.
 */
export async function requirePerk(
  { db, refresher }: { db: Db; refresher: ProjectionRefresher },
  scope: EventScope,
  perkId: string,
): Promise<PerkDetails> {
  const find = async () => (await findPerks(db, scope, [perkId]))[0];
  const existing = await find();
  if (existing) return existing;
  const { businessUnitId } = scope;
  await refresher.refresh([{ type: perkSnapshot.type, businessUnitId, id: perkId }]);
  const refreshed = await find();
  if (!refreshed) throw notFound('perk');
  return refreshed;
}
