import { badgeMediaTypes } from '@event-api/contracts/http/registrations';
import { nextCursorHeader, printBadges } from '@event-api/contracts/operator/badges';
import { rethrowMissing } from '@event-api/platform/core/errors';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { listName } from '@event-api/platform/http/list-page';
import { eventRef } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { Badge } from '../badge-files/badge.ts';
import { createDrawer } from '../badge-files/drawer.ts';
import type { RegistrationDeps } from '../deps.ts';
import { noBadges } from '../errors.ts';
import { timeouts } from '../timeouts.ts';
import { listBadges } from './badges.queries.ts';
import { badgeOf } from './read.ts';
import { sendFile } from './send-file.ts';

/** One file is drawn, and another one waits. A third one would exceed the timeout. */
const maxWaiting = 2;

export function badgePrintRoutes(app: HttpServer, deps: RegistrationDeps): void {
  // A thread of its own: single badges do not wait for a file of many.
  const { drawBadgesMs: timeoutMs, loadDrawerMs: loadMs, drawIdleMs: idleMs } = timeouts;
  const drawer = createDrawer({ idleMs, timeoutMs, loadMs, maxWaiting });
  app.addHook('onClose', () => drawer.close());

  app.route({
    ...printBadges,
    handler: async ({ body }, reply) => {
      const { businessUnitId, eventId, registrationTypeId, registrationIds, limit, cursor } = body;
      const chosen = { ticketTypeId: registrationTypeId, registrationIds };
      const scope = { businessUnitId, eventId };
      const list = listName('badges.print', body);
      const [after = 0] = decodeCursor(list, cursor, ['version'] as const) ?? [];
      await deps.refresher.require(eventRef(scope)).catch(rethrowMissing('event'));
      await deps.expireAndPromoteIfDue(scope);
      const rows = await listBadges(deps.db, scope, { ...chosen, after, limit: limit + 1 });
      const key = ({ number }: (typeof rows)[number]) => [number];
      const { items, nextCursor } = paginate(rows, limit, badgeOf, key, list);
      const [first] = items;
      if (!first) throw noBadges();
      const badges = items.toSorted(byName);
      const file = await drawer.draw({ format: 'pdf', title: first.eventName, badges });
      return sendFile(
        reply as never,
        {
          'content-type': badgeMediaTypes.pdf,
          'content-disposition': 'attachment; filename="badges.pdf"',
          ...(nextCursor !== null && { [nextCursorHeader]: nextCursor }),
        },
        file,
      );
    },
  });
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** In the order in which people look for a badge on a table. Badges without a name are last. */
function byName(one: Badge, other: Badge): number {
  if (one.name === null || other.name === null)
    return Number(one.name === null) - Number(other.name === null);
  return collator.compare(one.name, other.name);
}
