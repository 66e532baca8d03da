import type { EffectivePerk } from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import type { Db } from '@event-api/platform/db/database';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { readRegistration } from '../registrations/queries.ts';
import { findSourcesOfRegistration } from './queries.ts';
import { loadPerkSources, loadPerks } from './resolve.ts';

/** The effective perks of a registration, whatever its status: the union of what delivers any to it. Errors: 404. */
export async function readPerks(
  deps: { db: Db; refresher: ProjectionRefresher },
  scope: EventScope,
  registrationId: string,
): Promise<EffectivePerk[]> {
  await readRegistration(deps.db, scope.businessUnitId, scope.eventId, registrationId);
  const sources = await loadPerkSources(deps, scope, () =>
    findSourcesOfRegistration(deps.db, scope, registrationId),
  );
  return loadPerks(deps, scope, sources);
}
