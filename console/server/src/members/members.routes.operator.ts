import * as operations from '@event-api/contracts/operator/members';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { Units } from '../units/units.ts';
import { changeMember } from './members.commands.ts';
import { listMembers, type MemberRow } from './members.queries.ts';

const memberView = ({ createdAt, ...member }: MemberRow) => ({
  ...member,
  createdAt: createdAt.toISOString(),
});

export function memberOperatorRoutes(
  app: HttpServer,
  { db, units }: { db: Database; units: Units },
): void {
  app.route({
    ...operations.listMembers,
    handler: async ({ body: { businessUnitId } }) => {
      await units.require(businessUnitId);
      return { members: (await listMembers(db, businessUnitId)).map(memberView) };
    },
  });

  app.route({
    ...operations.setMemberRole,
    handler: async ({ body: { role, ...member } }) =>
      memberView(await changeMember(db, member, role)),
  });

  app.route({
    ...operations.removeMember,
    handler: async ({ body }) => memberView(await changeMember(db, body, null)),
  });
}
