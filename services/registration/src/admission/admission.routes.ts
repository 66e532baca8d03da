import type { ExpectedRegistration } from '@event-api/contracts/http/registrations';
import * as operations from '@event-api/contracts/http/registrations';
import { eventRef, requireEvent, scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import type { ServiceClient } from '@event-api/platform/http/service-client';
import { countOutcome } from '@event-api/platform/telemetry/outcomes';
import type { Telemetry } from '@event-api/platform/telemetry/telemetry';
import type { FastifyRequest } from 'fastify';
import { readRegistration } from '../registrations/registrations.queries.ts';
import { registrationView } from '../registrations/registrations.view.ts';
import { changeRegistration } from './change.ts';
import { changeStatus } from './change-status.ts';
import type { AdmissionDeps } from './deps.ts';
import { expectedOf } from './expected-of.ts';
import { findCheckedIn } from './read-checked-in.ts';
import { createRegistration } from './register.ts';

/** The operations of the API that create registrations or change their status. */
export function admissionRoutes(
  app: HttpServer,
  deps: AdmissionDeps & {
    telemetry: Pick<Telemetry, 'metrics'>;
    /** Client of onsite's internal operations. */
    onsite: ServiceClient;
  },
): void {
  const { db, refresher } = deps;
  const count = deps.telemetry.metrics.counter('registration.registrations');

  const requireRegistration = async (request: FastifyRequest) => {
    const { id } = request.params as { id: string };
    await readRegistration(db, scopeOf(request), id);
  };

  app.route({
    ...operations.createRegistration,
    onRequest: requireEvent(refresher),
    handler: async (request, reply) => {
      const scope = scopeOf(request);
      const { registration, created } = await countOutcome(
        (outcome) => count({ outcome }),
        (result) => (result.created ? result.registration.status : 'already_registered'),
        () => createRegistration(deps, scope, request.body),
      );
      const view = registrationView(registration);
      if (!created) return { registration: view, created };
      const location = `/v1/events/${view.eventId}/registrations/${view.id}`;
      reply.code(201).header('location', location);
      return { registration: view, created };
    },
  });

  const readCheckedIn = async (request: FastifyRequest) => {
    const { id } = request.params as { id: string };
    return { checkedIn: await findCheckedIn(deps.onsite, scopeOf(request), id) };
  };

  app.route({
    ...operations.updateRegistration,
    config: { ...operations.updateRegistration.config, readBeyondRecord: readCheckedIn },
    onRequest: requireRegistration,
    handler: async (request) => {
      const scope = scopeOf(request);
      await refresher.require(eventRef(scope));
      const { id } = request.params;
      const changed = registrationView(await changeRegistration(deps, scope, id, request.body));
      return { ...changed, ...(await readCheckedIn(request)) };
    },
  });

  app.route({
    ...operations.approveRegistration,
    onRequest: requireRegistration,
    handler: (request) => changeStatusInEvent(request, { kind: 'approve' }),
  });

  app.route({
    ...operations.rejectRegistration,
    onRequest: requireRegistration,
    handler: (request) => {
      const reason = request.body?.reason ?? null;
      return changeStatusInEvent(request, { kind: 'reject', reason });
    },
  });

  app.route({
    ...operations.cancelRegistration,
    onRequest: requireRegistration,
    handler: (request) => changeStatusInEvent(request, { kind: 'cancel' }),
  });

  async function changeStatusInEvent(
    request: FastifyRequest,
    change: { kind: 'approve' | 'cancel' } | { kind: 'reject'; reason: string | null },
  ) {
    const scope = scopeOf(request);
    await refresher.require(eventRef(scope));
    const { id: registrationId } = request.params as { id: string };
    const { expected } = (request.body ?? {}) as { expected?: ExpectedRegistration };
    const seen = { registrationId, expected: expectedOf(expected) };
    return registrationView(await changeStatus(deps, scope, { ...change, ...seen }));
  }
}
