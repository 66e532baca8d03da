import { groupsOfPermissions, groupsWith } from '@event-api/contracts/permissions';
import { type CallDecision, mayCall, type PermittedCaller } from '@event-api/rules/may-call';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runAsActor } from '../core/actor.ts';
import {
  type ApiError,
  type MissingPermission,
  notFound,
  permissionDenied,
  referenceNotFound,
  unauthenticated,
} from '../core/errors.ts';
import type { Caller, CallerVerifier } from './caller-tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. It is set before any other hook of a route runs. */
    caller: Caller;
  }
}

/**
 * Authenticates and authorizes every request. 401 without a valid caller token for the audience of
 * the route, also for unknown paths; 403 without the permission of the operation, before the body
 * is read; 404, as for a missing record, for an event, a business unit or a door that the caller
 * does not see. What depends on the body is decided after its validation.
 */
export function requireCaller(app: FastifyInstance, callers: CallerVerifier): void {
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request) => {
    const token = request.headers['x-caller'];
    const audience = request.routeOptions.config.audience ?? 'api';
    const caller = await callers.verify(typeof token === 'string' ? token : undefined, audience);
    if (!caller) throw unauthenticated();
    request.caller = caller;
    if (!request.is404) authorize(request);
  });
  app.addHook('onRequest', ({ caller }, _reply, done) => runAsActor(caller.actor, done));
  // A body arrives in events of the socket, outside the scope of the request.
  app.addHook('preValidation', ({ caller }, _reply, done) => runAsActor(caller.actor, done));
  app.addHook('preHandler', (request, _reply, done) => {
    if (!request.is404) authorize(request, request.body ?? {});
    done();
  });
}

function authorize({ caller, routeOptions, params }: FastifyRequest, body?: unknown): void {
  const { url = '', config } = routeOptions;
  const called = { url, config: { ...config, audience: config.audience ?? 'api' } };
  const error = callError(mayCall(caller, called, params as Record<string, string>, body), caller);
  if (error) throw error;
}

/** The error of a call that is not allowed. The 404s are those of a missing record. */
export function callError(decision: CallDecision, caller: PermittedCaller): ApiError | null {
  const { outcome } = decision;
  if (outcome === 'allowed') return null;
  if (outcome === 'permission_denied') return permissionDenied(missingOf(decision, caller));
  if (outcome === 'door_not_visible') return referenceNotFound('subjectId');
  return notFound(outcome === 'unit_mismatch' ? 'businessUnit' : undefined);
}

/** What the key of an integrator lacks. A member has a role instead of groups. */
function missingOf(
  { missing }: Extract<CallDecision, { outcome: 'permission_denied' }>,
  { issuer, permissions }: PermittedCaller,
): MissingPermission | undefined {
  if (!missing || permissions === null || issuer !== 'gateway') return undefined;
  return {
    permissions: missing,
    groups: groupsWith(missing),
    keyGroups: groupsOfPermissions(permissions),
  };
}
