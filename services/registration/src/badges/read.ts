import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound } from '@event-api/platform/core/errors';
import type { Badge } from '../badge-files/badge.ts';
import type { RegistrationDeps } from '../deps.ts';
import { noBadge } from '../errors.ts';
import { type BadgeContent, findBadgeContent } from './badges.queries.ts';

/**
 * Reads what the badge of a registration shows. Errors: 404; 412 for a registration that is not
 * confirmed.
 */
export async function readBadgeOf(
  { db }: Pick<RegistrationDeps, 'db'>,
  scope: EventScope,
  id: string,
): Promise<Badge> {
  const content = await findBadgeContent(db, scope, id);
  if (!content) throw notFound();
  if (content.status !== 'confirmed') throw noBadge(content.status);
  return badgeOf(content);
}

/** The badge with this content. */
export const badgeOf = ({
  eventName,
  name,
  company,
  ticketTypeName,
  checkinCode,
}: BadgeContent): Badge => ({
  eventName,
  name,
  company,
  ticketTypeName,
  checkinCode,
});
