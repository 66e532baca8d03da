import { AuditLog, AuditLogQuery } from '@event-api/contracts/console/audit';
import { listAudit } from '@event-api/contracts/operator/audit';
import type { Db } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { memberOf, requirePermission } from '../forwarding/authorize.ts';
import type { SendRequest } from '../owners/send.ts';
import type { Units } from '../units/units.ts';
import { readAuditLog } from './read.ts';

const defaultLimit = 50;
const maxLimit = 500;

/** All lists of the log need the same permission. A schema is expensive to build. */
const ownList = listAudit('console');

/**
 * The audit log of a business unit over all processes. Errors: 403 without the permission `audit`.
 */
export function auditLogRoutes(
  app: HttpServer,
  deps: { db: Db; send: SendRequest; units: Units },
): void {
  app.get(
    '/audit',
    { schema: { querystring: AuditLogQuery, response: { 200: AuditLog } } },
    async (request) => {
      const caller = await memberOf(deps.units, request, 'operator');
      const { businessUnitId } = caller;
      requirePermission(caller, ownList, {}, { businessUnitId });
      const { limit = defaultLimit, ...query } = request.query;
      const page = { ...query, limit: Math.min(limit, maxLimit) };
      return readAuditLog(deps, { caller, requestId: request.id }, page);
    },
  );
}
