import { AcceptedInvitation, AcceptInvitation } from '@event-api/contracts/console/session';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { acceptInvitation } from './invitations.commands.ts';

/** The acceptance of an invitation by the signed-in operator. */
export function invitationRoutes(app: HttpServer, { db }: { db: Database }): void {
  app.post(
    '/invitations/accept',
    { schema: { body: AcceptInvitation, response: { 200: AcceptedInvitation } } },
    async ({ operatorSession: { operatorId }, body, id: requestId }) =>
      acceptInvitation(db, { operatorId, secret: body.token, requestId }),
  );
}
