import * as operations from '@event-api/contracts/http/checkins';
import { limits } from '@event-api/contracts/http/fields';
import { systemClock } from '@event-api/platform/core/clock';
import type { Logger } from '@event-api/platform/core/log';
import { decodeCursor, paginate } from '@event-api/platform/http/cursor-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ProjectionRefresher } from '@event-api/platform/messaging/projections/refresher';
import { countOutcome } from '@event-api/platform/telemetry/outcomes';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import { timeouts } from '../timeouts.ts';
import { listNewestCheckins, readCheckin } from './checkins.queries.ts';
import { badgeHolderView, checkinView } from './checkins.view.ts';
import { type CheckinDeps, createCheckin } from './create.ts';
import { createFallbacks } from './fallback.ts';
import { createTrustAtDoor } from './trust.ts';
import { undoCheckin } from './undo.ts';

export function checkinRoutes(
  app: HttpServer,
  deps: CheckinDeps & { refresher: ProjectionRefresher; log: Logger; telemetry: Telemetry },
): void {
  const { metrics } = deps.telemetry;
  const count = metrics.counter('onsite.checkins');
  const fallbacks = createFallbacks({ metrics, log: deps.log });
  const { requireEventAtDoor, trustOf } = createTrustAtDoor(deps.refresher);

  app.route({
    ...operations.listCheckins,
    onRequest: requireEvent(deps.refresher),
    handler: async (request) => {
      const { limit = limits.pageRows, cursor, include, ...filter } = request.query;
      const includesUndone = include === 'undone';
      const scope = scopeOf(request);
      const { subjectType = '', subjectId = '', registrationId = '' } = filter;
      const kind = includesUndone ? 'checkins and undone' : 'checkins';
      const list = `${kind} ${scope.eventId} ${subjectType} ${subjectId} ${registrationId}`;
      const after = decodeCursor(list, cursor, ['string'] as const);
      const filters = { ...filter, includesUndone };
      const rows = await listNewestCheckins(deps.db, scope, filters, after?.[0] ?? null, limit);
      const { items, nextCursor } = paginate(
        rows,
        limit,
        (row) => checkinView(row),
        (row) => [row.id],
        list,
      );
      return { checkins: items, nextCursor };
    },
  });

  app.route({
    ...operations.getCheckin,
    handler: async (request) =>
      checkinView(await readCheckin(deps.db, scopeOf(request), request.params.id)),
  });

  app.route({
    ...operations.createCheckin,
    config: { ...operations.createCheckin.config, readAfterTimeoutMs: timeouts.readAfterMs },
    onRequest: requireEventAtDoor,
    handler: async (request, reply) => {
      const { subjectType } = request.body;
      const { checkin, badge, alreadyCheckedIn, notice } = await countOutcome(
        (outcome) => count({ outcome, subject_type: subjectType }),
        (result) => (result.alreadyCheckedIn ? 'repeat' : 'first'),
        async () => {
          const trust = await trustOf(request);
          const at = systemClock.now();
          return createCheckin({ ...deps, fallbacks }, scopeOf(request), request.body, {
            trust,
            at,
          });
        },
      );
      const response = {
        checkin: checkinView(checkin, badge),
        registration: badgeHolderView(badge),
        alreadyCheckedIn,
        notice,
      };
      if (alreadyCheckedIn) return response;
      const location = `/v1/events/${checkin.eventId}/checkins/${checkin.id}`;
      reply.code(201).header('location', location);
      return response;
    },
  });

  app.route({
    ...operations.undoCheckin,
    onRequest: async (request) => {
      await readCheckin(deps.db, scopeOf(request), request.params.id);
    },
    handler: async (request) => {
      const { params, body } = request;
      return checkinView(await undoCheckin(deps, scopeOf(request), params.id, body.reason));
    },
  });
}
