import { limits } from '@event-api/contracts/http/fields';
import { forwardedOperations } from '@event-api/contracts/http/operations';
import { isMutation, type Operation } from '@event-api/contracts/operation';
import { chooseOperation, groupCommands, isRead } from '@event-api/contracts/operator/command';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { invalidArgument, notFound } from '@event-api/platform/core/errors';
import type { CallerClaims } from '@event-api/platform/http/caller-tokens';
import { parseBody } from '@event-api/platform/http/json-parser';
import { createServicePath } from '@event-api/platform/http/service-path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { platformOnly } from '../errors.ts';
import type { Units } from '../units/units.ts';
import { actorOf, memberOf, requirePermission } from './authorize.ts';
import { type ForwardingDeps, forward } from './forward.ts';
import { orRecord, type RecordRefusal } from './record-refusal.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The change that a request of this route is, as the audit log names it. */
    attempts?: string;
  }
}

export type RouteDeps = ForwardingDeps & { units: Units; recordRefusal: RecordRefusal };

const commands = new Map(
  groupCommands(operatorOperations).map((command) => [command.name, command]),
);

/** No id is longer; a path may be. */
const maxIdLength = 64;

/**
 * Rejects requests below a business unit of which the operator is no member, and records the
 * changes among them. The entry belongs to no unit: that of the path may not exist, and its owners
 * learn nothing about operators of others. Errors: 404, the same as for a unit that does not exist.
 */
export function requireMember(app: FastifyInstance, recordRefusal: RecordRefusal): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.operatorSession.role !== null) return done();
    const { unitId } = request.params as { unitId: string };
    recordAttempt(recordRefusal, request, [unitId.slice(0, maxIdLength)], notFound());
    done(notFound());
  });
}

/** Records a request that is rejected before its body is read, if it is a change. */
function recordAttempt(
  recordRefusal: RecordRefusal,
  request: FastifyRequest,
  records: readonly string[],
  error: unknown,
): void {
  const operation = attemptOf(request);
  if (operation === null) return;
  recordRefusal(request, { operation, businessUnitId: null, eventId: null, records }, error);
}

/**
 * The change that a request is, as the audit log names it; null for a read and for an unknown
 * command.
 */
function attemptOf({ params, routeOptions }: FastifyRequest): string | null {
  const { operationId } = params as { operationId?: string };
  if (operationId === undefined) return routeOptions.config.attempts ?? null;
  const command = commands.get(operationId);
  return command && !isRead(command) ? operationId : null;
}

/** The operator commands and the API operations of a business unit, as members of it. */
export function unitRoutes(app: FastifyInstance, deps: RouteDeps): void {
  forwardBodiesUnchanged(app);

  app.post('/operator/:operationId', async (request, reply) => {
    const { operation, input } = chosen(request);
    const caller = await memberOf(deps.units, request, 'operator');
    const scope = { businessUnitId: caller.businessUnitId ?? '', eventId: eventOf(input) };
    await authorize(deps, request, { operation, caller, params: {}, body: input ?? {}, ...scope });
    return forward(deps, request, reply, { operation, path: operation.url, caller, scope });
  });

  for (const operation of forwardedOperations) {
    const pathOf = createServicePath(operation.url);
    app.route({
      method: operation.method,
      url: operation.url,
      ...(isMutation(operation) && { config: { attempts: operation.config.operationId } }),
      async handler(request, reply) {
        const caller = await memberOf(deps.units, request, 'api');
        const params = request.params as Record<string, string>;
        const scope = { businessUnitId: caller.businessUnitId ?? '', eventId: eventOf(params) };
        await authorize(deps, request, { operation, caller, params, ...scope });
        const path = pathOf(params) + queryOf(request);
        return forward(deps, request, reply, { operation, path, caller, scope });
      },
    });
  }
}

/**
 * The operator commands of the platform. Errors: 403 for an operator who does not administer it.
 */
export function platformRoutes(app: FastifyInstance, deps: RouteDeps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.operatorSession.platformAdmin) return done();
    recordAttempt(deps.recordRefusal, request, [], platformOnly());
    done(platformOnly());
  });
  forwardBodiesUnchanged(app);

  app.post('/operator/:operationId', async (request, reply) => {
    const { operation, input } = chosen(request);
    // A command of the platform may name a business unit, for example the one whose refunds it
    // reconciles.
    const businessUnitId = textField(input, 'businessUnitId');
    const caller: CallerClaims = {
      audience: 'operator',
      ...(businessUnitId !== null && { businessUnitId }),
      permissions: ['platform'],
      actor: actorOf(request),
    };
    const eventId = eventOf(input);
    const called = { operation, caller, params: {}, body: input ?? {} };
    await authorize(deps, request, { ...called, businessUnitId, eventId });
    const scope = businessUnitId === null ? null : { businessUnitId, eventId };
    return forward(deps, request, reply, { operation, path: operation.url, caller, scope });
  });
}

/** Services validate the bodies. The bytes stay as the browser has sent them. */
function forwardBodiesUnchanged(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limits.bodyBytes },
    (_request, body, done) => done(null, body.length === 0 ? undefined : body),
  );
}

/**
 * The operation of a command. Errors: 400 for an input that fits no owner; 404 for an unknown
 * command.
 */
function chosen(request: FastifyRequest): { operation: Operation; input: unknown } {
  const command = commands.get((request.params as { operationId: string }).operationId);
  if (!command) throw notFound();
  const body = request.body as Buffer | undefined;
  const input = body && parseBody(body);
  const choice = chooseOperation(command, input);
  if (choice.outcome === 'invalid') throw invalidArgument([choice.issue]);
  return { operation: choice.operation, input };
}

/**
 * Requires the permission of an operation, and records the refusal of a change. Errors: 403; 404.
 */
async function authorize(
  { recordRefusal }: Pick<RouteDeps, 'recordRefusal'>,
  request: FastifyRequest,
  called: {
    operation: Operation;
    caller: CallerClaims;
    params: Record<string, string>;
    body?: unknown;
    businessUnitId: string | null;
    eventId: string | null;
  },
): Promise<void> {
  const { operation, caller, params, body, businessUnitId, eventId } = called;
  const require = () => requirePermission(caller, operation, params, body);
  if (!isMutation(operation)) return require();
  const attempt = { operation: operation.config.operationId, businessUnitId, eventId };
  await orRecord(recordRefusal, request, attempt, require);
}

const eventOf = (source: unknown): string | null => textField(source, 'eventId');

function textField(source: unknown, name: string): string | null {
  const value = (source as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : null;
}

function queryOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}
