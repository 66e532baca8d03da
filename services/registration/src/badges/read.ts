import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound, unavailable } from '@event-api/platform/core/errors';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { Badge } from '../badge-files/badge.ts';
import type { RegistrationDeps } from '../deps.ts';
import { noBadge } from '../errors.ts';
import {
  type BadgeContent,
  findBadgeContent,
  type ListedBadge,
  listBadges,
} from './badges.queries.ts';

/**
 * Reads what the badge of a registration shows. Errors: 404; 412 for a registration that is not
 * confirmed; 503 while the name of the event is unknown and catalog does not respond.
 */
export async function readBadgeOf(
  deps: RegistrationDeps,
  scope: EventScope,
  id: string,
): Promise<Badge> {
  const [content] = await withEventName(deps, scope, async () => {
    const found = await findBadgeContent(deps.db, scope, id);
    return found ? [found] : [];
  });
  if (!content) throw notFound();
  if (content.status !== 'confirmed') throw noBadge(content.status);
  return badgeOf(content);
}

/** Reads a page of badges, in the order of creation. Errors: 503, as for a single badge. */
export const readBadgesOf = (
  deps: RegistrationDeps,
  scope: EventScope,
  page: Parameters<typeof listBadges>[2],
): Promise<ListedBadge[]> => withEventName(deps, scope, () => listBadges(deps.db, scope, page));

/**
 * The previous release, which may run beside this one, does not write the name of an event: catalog
 * has it.
 */
async function withEventName<Content extends BadgeContent>(
  deps: RegistrationDeps,
  scope: EventScope,
  read: () => Promise<Content[]>,
): Promise<Content[]> {
  const found = await read();
  if (found[0]?.eventName !== null) return found;
  await deps.refresher.replace(eventRef(scope));
  return read();
}

/** The badge with this content. Errors: 503 without a name of the event. */
export function badgeOf({ eventName, ...content }: BadgeContent): Badge {
  if (eventName === null) throw unavailable(new Error('the event has no name'));
  const { name, company, ticketTypeName, checkinCode } = content;
  return { eventName, name, company, ticketTypeName, checkinCode };
}
