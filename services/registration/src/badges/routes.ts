import {
  type BadgeFormat,
  badgeMediaTypes,
  getRegistrationBadge,
} from '@event-api/contracts/http/registrations';
import type { EventScope } from '@event-api/contracts/internal/scope';
import { notFound, unavailable } from '@event-api/platform/core/errors';
import { eventRef, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyReply } from 'fastify';
import type { Badge } from '../badge-files/badge.ts';
import { createDrawer } from '../badge-files/drawer.ts';
import type { DrawJob } from '../badge-files/job.ts';
import type { RegistrationDeps } from '../deps.ts';
import { noBadge } from '../errors.ts';
import { timeouts } from '../timeouts.ts';
import { type BadgeContent, findBadgeContent } from './queries.ts';

/** Drawing takes some milliseconds, so a queue of this length is served before the timeout. */
const maxWaiting = 100;

export function badgeFileRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { drawBadgeMs: timeoutMs, drawIdleMs: idleMs } = timeouts;
  const drawer = createDrawer({ idleMs, timeoutMs, maxWaiting });
  app.addHook('onClose', () => drawer.close());

  app.route({
    ...getRegistrationBadge,
    handler: async (request, reply) => {
      const scope = scopeOf(request);
      const { params, query } = request;
      await deps.expireAndPromoteIfDue(scope);
      const badge = await readBadgeOf(deps, scope, params.id);
      const file = await drawer.draw(jobOf(query.format, badge));
      return sendBadge(reply, query.format, file) as never;
    },
  });
}

/** Errors: 404; 412 for a registration that is not confirmed; 503 while the name of the event is unknown and catalog does not respond. */
async function readBadgeOf(deps: RegistrationDeps, scope: EventScope, id: string): Promise<Badge> {
  const content = await findBadgeContent(deps.db, scope, id);
  if (!content) throw notFound();
  if (content.status !== 'confirmed') throw noBadge(content.status);
  if (content.eventName !== null) return badgeOf(content);
  // The previous release, which may run beside this one, does not write the name.
  await deps.refresher.replace(eventRef(scope));
  const replaced = await findBadgeContent(deps.db, scope, id);
  return badgeOf(replaced ?? content);
}

function badgeOf({ eventName, ...content }: BadgeContent): Badge {
  if (eventName === null) throw unavailable(new Error('the event has no name'));
  const { name, company, ticketTypeName, checkinCode } = content;
  return { eventName, name, company, ticketTypeName, checkinCode };
}

function jobOf(format: BadgeFormat, badge: Badge): DrawJob {
  if (format === 'svg') return { format, badge };
  return { format, title: badge.eventName, badges: [badge] };
}

/**
 * Sends the file for display. Names are typed by others: in an SVG that a browser opens as a page, the policy lets nothing
 * run and nothing load.
 */
const sendBadge = (reply: FastifyReply, format: BadgeFormat, file: Buffer): FastifyReply =>
  reply
    .headers({
      'content-type': badgeMediaTypes[format],
      'content-disposition': `inline; filename="badge.${format}"`,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(file);
