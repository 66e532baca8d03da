import { limits } from '@event-api/contracts/http/fields';
import { apiOperations } from '@event-api/contracts/http/operations';
import { mayCall } from '@event-api/contracts/may-call';
import type { Operation } from '@event-api/contracts/operation';
import { chooseOperation, groupCommands } from '@event-api/contracts/operator/command';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { permissionsOfRole } from '@event-api/contracts/permissions';
import { invalidArgument, notFound, permissionDenied } from '@event-api/platform/core/errors';
import type { CallerClaims } from '@event-api/platform/http/caller-tokens';
import { parseBody } from '@event-api/platform/http/json-parser';
import { createServicePath } from '@event-api/platform/http/service-path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { platformOnly } from '../errors.ts';
import type { Units } from '../units/units.ts';
import { type ForwardingDeps, forward } from './forward.ts';

export type RouteDeps = ForwardingDeps & { units: Units };

const commands = new Map(
  groupCommands(operatorOperations).map((command) => [command.name, command]),
);

/**
 * The operator commands and the API operations of a business unit, as members of it. Errors: 404 for a unit of which the
 * operator is no member, the same as for one that does not exist.
 */
export function unitRoutes(app: FastifyInstance, deps: RouteDeps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.operatorSession.role === null ? notFound() : undefined);
  });
  forwardBodiesUnchanged(app);

  app.post('/operator/:operationId', async (request, reply) => {
    const { operation, input } = chosen(request);
    const caller = await memberOf(deps.units, request, 'operator');
    requirePermission(caller, operation, {}, input ?? {});
    const scope = { businessUnitId: caller.businessUnitId ?? '', eventId: eventOf(input) };
    return forward(deps, request, reply, { operation, path: operation.url, caller, scope });
  });

  for (const operation of apiOperations) {
    const pathOf = createServicePath(operation.url);
    app.route({
      method: operation.method,
      url: operation.url,
      async handler(request, reply) {
        const caller = await memberOf(deps.units, request, 'api');
        requirePermission(caller, operation, request.params as Record<string, string>);
        const path = pathOf(request.params as Record<string, string>) + queryOf(request);
        const scope = {
          businessUnitId: caller.businessUnitId ?? '',
          eventId: eventOf(request.params),
        };
        return forward(deps, request, reply, { operation, path, caller, scope });
      },
    });
  }
}

/** The operator commands of the platform. Errors: 403 for an operator who does not administer it. */
export function platformRoutes(app: FastifyInstance, deps: RouteDeps): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.operatorSession.platformAdmin ? undefined : platformOnly());
  });
  forwardBodiesUnchanged(app);

  app.post('/operator/:operationId', async (request, reply) => {
    const { operation, input } = chosen(request);
    // A command of the platform may name a business unit, for example the one whose refunds it reconciles.
    const businessUnitId = textField(input, 'businessUnitId');
    const caller: CallerClaims = {
      audience: 'operator',
      ...(businessUnitId !== null && { businessUnitId }),
      permissions: ['platform'],
      actor: actorOf(request),
    };
    requirePermission(caller, operation, {}, input ?? {});
    const scope = businessUnitId === null ? null : { businessUnitId, eventId: eventOf(input) };
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

/** The operation of a command. Errors: 400 for an input that fits no owner; 404 for an unknown command. */
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
 * Decides before the request is sent what its owner decides, too: an owner of a release without permissions would take the
 * caller for an unlimited one. Errors: 403; 404 for a body with another business unit, as for one that does not exist.
 */
function requirePermission(
  { businessUnitId = '', permissions = [] }: CallerClaims,
  operation: Operation,
  params: Record<string, string>,
  body?: unknown,
): void {
  const caller = { issuer: 'console', businessUnitId, permissions, events: null, doors: null };
  const { outcome } = mayCall(caller, operation, params, body);
  if (outcome === 'allowed') return;
  throw outcome === 'permission_denied' ? permissionDenied() : notFound();
}

const actorOf = ({ operatorSession }: FastifyRequest) =>
  ({ type: 'operator', id: operatorSession.operatorId }) as const;

/** The member as services see it: with the permissions of its role and, for an administrator, that of the platform. */
async function memberOf(
  units: Units,
  request: FastifyRequest,
  audience: 'api' | 'operator',
): Promise<CallerClaims> {
  const { role, platformAdmin } = request.operatorSession;
  const { id, defaultCurrency } = await units.require(
    (request.params as { unitId: string }).unitId,
  );
  return {
    audience,
    businessUnitId: id,
    defaultCurrency,
    permissions: [
      ...(role === null ? [] : permissionsOfRole(role)),
      ...(platformAdmin ? (['platform'] as const) : []),
    ],
    actor: actorOf(request),
  };
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
