import * as operations from '@event-api/contracts/http/registrations';
import { listName, newestFirstKey, readPage } from '@event-api/platform/http/list-page';
import type { HttpServer } from '@event-api/platform/http/server';
import {
  eventOfPath,
  eventRecord,
  requireEvent,
} from '@event-api/platform/projections/require-event';
import { countOutcome } from '@event-api/platform/telemetry/outcomes';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { FastifyRequest } from 'fastify';
import { settleIfDue } from '../admission/settle.ts';
import { createRegistration, type RegistrationDeps } from './create.ts';
import { listRegistrations } from './list.ts';
import { moveRegistration } from './move.ts';
import { readRegistration } from './queries.ts';
import { registrationView } from './view.ts';

export function registrationRoutes(
  app: HttpServer,
  deps: RegistrationDeps & { telemetry: Telemetry },
): void {
  const { db, askOwner } = deps;
  const count = deps.telemetry.metrics.counter('registration.registrations');

  const requireRegistration = async (request: FastifyRequest) => {
    const { eventId, id } = request.params as { eventId: string; id: string };
    await readRegistration(db, request.caller.businessUnitId, eventId, id);
  };

  app.route({
    ...operations.listRegistrations,
    onRequest: requireEvent(askOwner),
    handler: async (request) => {
      const { query } = request;
      const scope = eventOfPath(request);
      const filters = {
        email: query.email,
        code: query.redemptionCodeId,
        type: query.registrationTypeId,
        status: query.status,
      };
      const { items, nextCursor } = await readPage({
        list: listName(`registrations ${scope.eventId}`, query),
        query,
        own: newestFirstKey,
        read: async (order, after, limit) => {
          await settleIfDue(deps, scope);
          return listRegistrations(db, scope, order, { filters, after, limit });
        },
        view: registrationView,
      });
      return { registrations: items, nextCursor };
    },
  });

  app.route({
    ...operations.createRegistration,
    onRequest: requireEvent(askOwner),
    handler: async (request, reply) => {
      const scope = eventOfPath(request);
      const { registration, created } = await countOutcome(
        (outcome) => count({ outcome }),
        (made) => (made.created ? made.registration.status : 'already_registered'),
        () => createRegistration(deps, scope, request.body),
      );
      const view = registrationView(registration);
      if (!created) return { registration: view, created };
      const location = `/v1/events/${view.eventId}/registrations/${view.id}`;
      return reply.code(201).header('location', location).send({ registration: view, created });
    },
  });

  app.route({
    ...operations.getRegistration,
    handler: async (request) => {
      const scope = eventOfPath(request);
      await settleIfDue(deps, scope);
      const { businessUnitId, eventId } = scope;
      return registrationView(
        await readRegistration(db, businessUnitId, eventId, request.params.id),
      );
    },
  });

  app.route({
    ...operations.approveRegistration,
    onRequest: requireRegistration,
    handler: async (request) => {
      const asked = { kind: 'approve', registrationId: request.params.id } as const;
      return registrationView(await moveKnown(request, asked));
    },
  });

  app.route({
    ...operations.rejectRegistration,
    onRequest: requireRegistration,
    handler: async (request) => {
      const reason = request.body?.reason ?? null;
      const asked = { kind: 'reject', registrationId: request.params.id, reason } as const;
      return registrationView(await moveKnown(request, asked));
    },
  });

  app.route({
    ...operations.cancelRegistration,
    onRequest: requireRegistration,
    handler: async (request) => {
      const asked = { kind: 'cancel', registrationId: request.params.id } as const;
      return registrationView(await moveKnown(request, asked));
    },
  });

  async function moveKnown(request: FastifyRequest, asked: Parameters<typeof moveRegistration>[2]) {
    const scope = eventOfPath(request);
    await askOwner.require(eventRecord(scope));
    return moveRegistration(deps, scope, asked);
  }
}
