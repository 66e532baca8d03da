import * as operations from '@event-api/contracts/operator/members';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { removeAdministrator } from '../operators/operators.commands.ts';
import { listAdministrators } from '../operators/operators.queries.ts';
import type { Units } from '../units/units.ts';
import {
  createInvitation,
  revokeAdministratorInvitation,
  revokeInvitation,
} from './invitations.commands.ts';
import {
  type InvitationRow,
  listAdministratorInvitations,
  listInvitations,
} from './invitations.queries.ts';

const invitationView = ({ createdAt, expiresAt, ...invitation }: InvitationRow) => ({
  ...invitation,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

export function invitationOperatorRoutes(
  app: HttpServer,
  { db, units, consoleUrl }: { db: Database; units: Units; consoleUrl: string },
): void {
  /** The secret is in the fragment, which a browser sends to no server. */
  const newView = ({ secret, ...invitation }: InvitationRow & { secret: string | null }) => ({
    ...invitationView(invitation),
    link: secret && `${consoleUrl}/invitation#${secret}`,
  });

  app.route({
    ...operations.inviteMember,
    handler: async ({ body: { businessUnitId, role, email } }, reply) => {
      await units.require(businessUnitId);
      const input = { businessUnitId, role, platformAdmin: false, email };
      const created = await createInvitation(db, input);
      return reply.code(201).header('cache-control', 'no-store').send(newView(created));
    },
  });

  app.route({
    ...operations.inviteOperator,
    handler: async ({ body }, reply) => {
      const { businessUnitId = null, role = null, platformAdmin, email } = body;
      if (businessUnitId !== null) await units.require(businessUnitId);
      const input = { businessUnitId, role, platformAdmin, email };
      const created = await createInvitation(db, input);
      return reply.code(201).header('cache-control', 'no-store').send(newView(created));
    },
  });

  app.route({
    ...operations.listInvitations,
    handler: async ({ body: { businessUnitId } }) => {
      await units.require(businessUnitId);
      return { invitations: (await listInvitations(db, businessUnitId)).map(invitationView) };
    },
  });

  app.route({
    ...operations.revokeInvitation,
    handler: async ({ body: { businessUnitId, id } }) =>
      invitationView(await revokeInvitation(db, businessUnitId, id)),
  });

  app.route({
    ...operations.listAdministrators,
    handler: async () => {
      const [administrators, invitations] = [
        await listAdministrators(db),
        await listAdministratorInvitations(db),
      ];
      return { administrators, invitations: invitations.map(invitationView) };
    },
  });

  app.route({
    ...operations.removeAdministrator,
    handler: ({ body: { operatorId } }) => removeAdministrator(db, operatorId),
  });

  app.route({
    ...operations.revokeAdministratorInvitation,
    handler: async ({ body: { id } }) =>
      invitationView(await revokeAdministratorInvitation(db, id)),
  });
}
