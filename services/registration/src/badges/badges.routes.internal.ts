import * as operations from '@event-api/contracts/internal/badges';
import { notFound } from '@event-api/platform/core/errors';
import type { HttpServer } from '@event-api/platform/http/server';
import type { z } from 'zod';
import type { RegistrationDeps } from '../deps.ts';
import { findSourcesOfRegistration, findSourcesOfRegistrations } from '../perks/perks.queries.ts';
import { type PerkDelivery, perkIdsOf } from '../perks/perks.rules.ts';
import { loadPerkSources } from '../perks/resolve.ts';
import { timeouts } from '../timeouts.ts';
import { type BadgeRow, findBadgeByCode, findBadgeById, findBadges } from './badges.queries.ts';

type Input = z.output<typeof operations.readBadge.schema.body>;

type SentRegistration = z.output<
  (typeof operations.readBadge.schema.response)[200]
>['registration'];

interface Badge {
  registration: SentRegistration;
  perkIds: string[];
  perkSources: { type: PerkDelivery['type']; id: string; perkIds: string[] }[];
}

export function badgeRoutes(app: HttpServer, deps: RegistrationDeps): void {
  app.route({
    ...operations.readBadge,
    config: { ...operations.readBadge.config, readAfterTimeoutMs: timeouts.badgeReadAfterMs },
    handler: async ({ body }) => {
      const { businessUnitId, eventId } = body;
      await deps.expireAndPromoteIfDue({ businessUnitId, eventId }, timeouts.badgePromotionMs);
      return readBadge(deps, body);
    },
  });

  app.route({
    ...operations.readBadges,
    config: { ...operations.readBadges.config, readAfterTimeoutMs: timeouts.badgeReadAfterMs },
    handler: async ({ body }) => {
      const { businessUnitId, eventId } = body;
      await deps.expireAndPromoteIfDue({ businessUnitId, eventId }, timeouts.badgePromotionMs);
      return { badges: await readBadges(deps, body) };
    },
  });
}

/** Returns those of these registrations that the event has, each once, with its perks. */
async function readBadges(
  deps: RegistrationDeps,
  { registrationIds, checkinCodes, ...scope }: z.output<typeof operations.readBadges.schema.body>,
): Promise<Omit<Badge, 'perkSources'>[]> {
  const registrations = await findBadges(deps.db, scope, { registrationIds, checkinCodes });
  const ids = registrations.map(({ id }) => id);
  const sources = await loadPerkSources(deps, scope, () =>
    findSourcesOfRegistrations(deps.db, scope, ids),
  );
  const sourcesOf = Map.groupBy(sources, ({ registrationId }) => registrationId);
  return registrations.map((registration) => ({
    registration: sentRegistration(registration),
    perkIds: perkIdsOf(sourcesOf.get(registration.id) ?? []),
  }));
}

/**
 * Returns the registration of an id, of a badge code, or of both if they belong to the same
 * registration, with its perks and what delivers them. The caller rejects a replaced code. Errors:
 * an identical 404 for everything that matches no registration of the event.
 */
async function readBadge(
  deps: RegistrationDeps,
  { registrationId, checkinCode, ...scope }: Input,
): Promise<Badge> {
  const registration =
    registrationId === undefined
      ? await findBadgeByCode(deps.db, scope, checkinCode ?? '')
      : await findBadgeById(deps.db, scope, registrationId);
  const codes = registration && [registration.checkinCode, ...registration.replacedCheckinCodes];
  const codeMatches = checkinCode === undefined || codes?.includes(checkinCode);
  if (!registration || !codeMatches) throw notFound();
  const sources = await loadPerkSources(deps, scope, () =>
    findSourcesOfRegistration(deps.db, scope, registration.id),
  );
  const perkSources = sources.map(({ type, id, perkIds }) => ({
    type,
    id,
    perkIds: [...(perkIds ?? [])],
  }));
  return {
    registration: sentRegistration(registration),
    perkIds: perkIdsOf(sources),
    perkSources,
  };
}

const sentRegistration = ({
  admissionOpensAt,
  admissionClosesAt,
  ...row
}: BadgeRow): SentRegistration => ({
  ...row,
  admissionOpensAt: admissionOpensAt?.toISOString() ?? null,
  admissionClosesAt: admissionClosesAt?.toISOString() ?? null,
});
