import * as operations from '@event-api/contracts/http/registrations';
import { listName, readPage } from '@event-api/platform/http/list-page';
import { requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { RegistrationDeps } from '../deps.ts';
import { listRegistrations, registrationsKey } from './list.ts';
import { readRegistration } from './registrations.queries.ts';
import { registrationView } from './registrations.view.ts';

export function registrationRoutes(app: HttpServer, deps: RegistrationDeps): void {
  const { db, refresher } = deps;

  app.route({
    ...operations.listRegistrations,
    onRequest: requireEvent(refresher),
    handler: async (request) => {
      const { query } = request;
      const scope = scopeOf(request);
      const filters = {
        email: query.email,
        code: query.redemptionCodeId,
        type: query.registrationTypeId,
        status: query.status,
        from: query.registeredFrom,
        before: query.registeredBefore,
      };
      const { items, nextCursor } = await readPage({
        list: listName(`registrations ${scope.eventId}`, query),
        query,
        own: registrationsKey(filters),
        read: async (order, after, limit) => {
          await deps.expireAndPromoteIfDue(scope);
          return listRegistrations(db, scope, order, { filters, after, limit });
        },
        view: registrationView,
      });
      return { registrations: items, nextCursor };
    },
  });

  app.route({
    ...operations.getRegistration,
    handler: async (request) => {
      const scope = scopeOf(request);
      await deps.expireAndPromoteIfDue(scope);
      return registrationView(await readRegistration(db, scope, request.params.id));
    },
  });
}
