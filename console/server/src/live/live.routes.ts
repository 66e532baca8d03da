import { type Permission, permissionsOfRole } from '@event-api/contracts/permissions';
import { every } from '@event-api/platform/core/every';
import type { Db } from '@event-api/platform/db/database';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tooManyRequests } from '../errors.ts';
import type { SendRequest } from '../owners/send.ts';
import { findSession } from '../sessions/sessions.queries.ts';
import { timeouts } from '../timeouts.ts';
import type { Units } from '../units/units.ts';
import { createEventCheck } from './event-check.ts';
import { formatMessage } from './messages.ts';
import { type EventStream, openStream } from './stream.ts';
import type { FormattedMessage, LiveEvents } from './watch.ts';

const heartbeatText = formatMessage({ name: 'heartbeat', data: {} });

/** The streams of one session. A browser needs one for each open page. */
const maxStreamsPerSession = 20;

export interface LiveDeps {
  db: Db;
  send: SendRequest;
  units: Units;
  live: LiveEvents;
  liveHeartbeatMs?: number;
}

/**
 * The stream of an event: check-in counts, changes, and whether they are current. It ends after
 * five minutes, and when the session ends or the role changes; the browser then connects again.
 * Errors: 404 for an event of another business unit; 429 above 20 streams of a session.
 */
export function liveRoutes(
  app: FastifyInstance,
  { db, send, units, live, liveHeartbeatMs = timeouts.liveHeartbeatMs }: LiveDeps,
): void {
  const requireEvent = createEventCheck(send);
  const open = new Set<EventStream>();
  const openOf = new Map<string, number>();
  app.addHook('preClose', async () => {
    for (const stream of open) stream.end();
    // Their requests wait for news, which no browser needs now.
    void live.stop();
  });

  app.get('/events/:eventId/live', async (request, reply) => {
    const { idHash, role } = request.operatorSession;
    const { unitId, eventId } = request.params as { unitId: string; eventId: string };
    const unit = await units.require(unitId);
    if (!live.isKnown({ unit, eventId })) await requireEvent({ unit, eventId }, request.id);
    if ((openOf.get(idHash) ?? 0) >= maxStreamsPerSession) throw tooManyRequests(1);
    const stream = openStream(reply, timeouts.liveReconnectMs);
    open.add(stream);
    openOf.set(idHash, (openOf.get(idHash) ?? 0) + 1);
    const seen = permissionsOf(request);
    const stopWatching = live.watch({ unit, eventId }, (message) => {
      if (maySee(seen, message)) stream.send(message.text);
    });
    const heartbeat = every(
      async () => {
        const session = await findSession(db, idHash, unitId);
        if (session?.role === role) stream.send(heartbeatText);
        else stream.end();
      },
      { intervalMs: liveHeartbeatMs, onError: () => stream.end() },
    );
    const end = setTimeout(() => stream.end(), timeouts.liveStreamMs);
    stream.onEnd(() => {
      clearTimeout(end);
      void heartbeat.stop();
      stopWatching();
      open.delete(stream);
      const left = (openOf.get(idHash) ?? 1) - 1;
      if (left > 0) openOf.set(idHash, left);
      else openOf.delete(idHash);
    });
    return reply;
  });
}

const permissionsOf = ({ operatorSession: { role } }: FastifyRequest): readonly Permission[] =>
  role === null ? [] : permissionsOfRole(role);

/**
 * Every role sees the counts. Who may read the feed sees what has changed, and others that
 * something has.
 */
function maySee(permissions: readonly Permission[], { name }: FormattedMessage): boolean {
  const mayReadFeed = permissions.includes('changes');
  switch (name) {
    case 'changes':
      return mayReadFeed;
    case 'refresh':
      return !mayReadFeed;
    default:
      return true;
  }
}
