import type { Cell } from '@event-api/contracts/cells';
import { ConsoleSession, Sessions, SignOut } from '@event-api/contracts/console/session';
import { permissionsOfRole } from '@event-api/contracts/permissions';
import { ApiError } from '@event-api/platform/core/errors';
import type { Db } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { listUnitsOf } from '../members/members.queries.ts';
import type { Units } from '../units/units.ts';
import { clearSessionCookie } from './require-session.ts';
import { deleteSession, deleteSessionsOf, listSessionsOf } from './sessions.queries.ts';
import type { CookieRules } from './sessions.rules.ts';

/** The session of a signed-in browser. */
export function sessionRoutes(
  app: HttpServer,
  {
    db,
    units,
    cookies,
    gatewayUrl,
    cell,
  }: { db: Db; units: Units; cookies: CookieRules; gatewayUrl: string | null; cell: Cell },
): void {
  app.get('/session', { schema: { response: { 200: ConsoleSession } } }, async (request) => {
    const { operatorId, name, email, platformAdmin, expiresAt } = request.operatorSession;
    const memberships = await listUnitsOf(db, operatorId);
    const found = await Promise.all(
      memberships.map(async ({ businessUnitId, role }) => {
        // A unit that the gateway does not have is not shown.
        const unit = await units.require(businessUnitId).catch(nullIfMissing);
        return unit && { ...unit, role, permissions: [...permissionsOfRole(role)] };
      }),
    );
    return {
      operator: { id: operatorId, name, email, platformAdmin },
      units: found.filter((unit) => unit !== null),
      expiresAt: expiresAt.toISOString(),
      gatewayUrl,
      cell,
    };
  });

  app.get('/sessions', { schema: { response: { 200: Sessions } } }, async (request) => {
    const { operatorId, idHash } = request.operatorSession;
    const sessions = await listSessionsOf(db, operatorId, idHash);
    return {
      sessions: sessions.map(({ isCurrent, createdAt, seenAt, expiresAt }) => ({
        isCurrent,
        createdAt: createdAt.toISOString(),
        seenAt: seenAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
    };
  });

  app.post('/sign-out', { schema: { body: SignOut.optional() } }, async (request, reply) => {
    const { operatorId, idHash } = request.operatorSession;
    if (request.body?.everywhere) await deleteSessionsOf(db, operatorId);
    else await deleteSession(db, idHash);
    clearSessionCookie(reply, cookies);
    return {};
  });
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === 404) return null;
  throw error;
}
