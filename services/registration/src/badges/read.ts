import type { readBadge as readBadgeOperation } from '@event-api/contracts/internal/reservations';
import { notFound } from '@event-api/platform/core/errors';
import type { z } from 'zod';
import type { RegistrationDeps } from '../admission/register.ts';
import { findSourcesOfRegistration } from '../perks/queries.ts';
import { loadPerkSources } from '../perks/resolve.ts';
import { perkIdsOf } from '../perks/rules.ts';
import { type BadgeRow, findBadgeByCode, findBadgeById } from './queries.ts';

type Input = z.output<typeof readBadgeOperation.schema.body>;

/**
 * The registration behind an id, a badge code, or both if they are one person's, with all the perks
 * that open doors. Errors: one 404 for whatever names nothing in this event.
 */
export async function readBadge(
  deps: RegistrationDeps,
  { registrationId, checkinCode, ...scope }: Input,
): Promise<{ registration: BadgeRow; perkIds: string[] }> {
  const registration =
    registrationId === undefined
      ? await findBadgeByCode(deps.db, scope, checkinCode ?? '')
      : await findBadgeById(deps.db, scope, registrationId);
  const codeMatches = checkinCode === undefined || registration?.checkinCode === checkinCode;
  if (!registration || !codeMatches) throw notFound();
  const sources = await loadPerkSources(deps, scope, () =>
    findSourcesOfRegistration(deps.db, scope, registration.id),
  );
  return { registration, perkIds: perkIdsOf(sources) };
}
