import type { Operation } from '@event-api/contracts/operation';
import { permissionsOfRole } from '@event-api/contracts/permissions';
import type { CallerClaims } from '@event-api/platform/http/caller-tokens';
import { nameMissingField } from '@event-api/platform/http/missing-record';
import { callError } from '@event-api/platform/http/require-caller';
import { mayCall } from '@event-api/rules/may-call';
import type { FastifyRequest } from 'fastify';
import type { Units } from '../units/units.ts';

export const actorOf = ({ operatorSession }: FastifyRequest) =>
  ({ type: 'operator', id: operatorSession.operatorId }) as const;

/**
 * The member as services see it: with the permissions of its role and, for an administrator, that
 * of the platform.
 */
export async function memberOf(
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

/**
 * Decides before the request is sent what its owner decides, too: an owner of a release without
 * permissions would take the caller for an unlimited one. Errors: 403; 404 for a body with another
 * business unit, with its field, as for one that does not exist.
 */
export function requirePermission(
  { businessUnitId = '', permissions = [] }: CallerClaims,
  operation: Operation,
  params: Record<string, string>,
  body?: unknown,
): void {
  const caller = { issuer: 'console', businessUnitId, permissions, events: null, doors: null };
  const error = callError(mayCall(caller, operation, params, body), caller);
  if (error) throw nameMissingField(error, body);
}
