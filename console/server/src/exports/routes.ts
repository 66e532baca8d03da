import {
  type ExportedList,
  PrintedBadges,
  RecordExport,
} from '@event-api/contracts/console/exports';
import { listOrders } from '@event-api/contracts/http/orders';
import { listRedemptionCodes } from '@event-api/contracts/http/redemption-codes';
import { listRegistrations } from '@event-api/contracts/http/registrations';
import type { Operation } from '@event-api/contracts/operation';
import { listAudit } from '@event-api/contracts/operator/audit';
import { printBadges } from '@event-api/contracts/operator/badges';
import { newAuditedRequest } from '@event-api/platform/audit/audited-request';
import { writeAudit } from '@event-api/platform/audit/write';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import { actorOf, memberOf, requirePermission } from '../forwarding/authorize.ts';
import { type ForwardingDeps, forward } from '../forwarding/forward.ts';
import type { Units } from '../units/units.ts';

/** The operation in the audit log, and the one whose permission an export needs: it reads the same records. */
const exports: Record<ExportedList, { operation: string; reads: Operation }> = {
  registrations: { operation: 'registration.export', reads: listRegistrations },
  orders: { operation: 'order.export', reads: listOrders },
  redemptionCodes: { operation: 'code.export', reads: listRedemptionCodes },
  entries: { operation: 'audit.export', reads: listAudit('console') },
};

export type ExportDeps = ForwardingDeps & { db: Database; units: Units };

/**
 * Records that an operator saves a list as a file. The browser reads the list page by page, and reads do not appear in the
 * audit log; a file with personal data does. The browser saves nothing without this entry. Errors: 403 without the permission
 * to read the list.
 */
export function exportRoutes(app: HttpServer, deps: ExportDeps): void {
  app.post('/exports', { schema: { body: RecordExport } }, async (request) => {
    const { list, eventId = null } = request.body;
    const { operation, reads } = exports[list];
    const caller = await memberOf(deps.units, request, 'operator');
    const { businessUnitId = null } = caller;
    requirePermission(caller, reads, {}, { businessUnitId });
    await recordExport(deps.db, request, { operation, businessUnitId, eventId });
    return {};
  });

  // Each file has an entry. The request to the service follows it, so that no file exists without one.
  app.post('/badges', { schema: { body: PrintedBadges } }, async (request, reply) => {
    const { eventId } = request.body;
    const caller = await memberOf(deps.units, request, 'operator');
    const { businessUnitId = '' } = caller;
    const input = { ...request.body, businessUnitId };
    requirePermission(caller, printBadges, {}, input);
    await recordExport(deps.db, request, { operation: 'badge.export', businessUnitId, eventId });
    return forward(deps, request, reply, {
      operation: printBadges,
      path: printBadges.url,
      caller,
      scope: { businessUnitId, eventId },
      body: Buffer.from(JSON.stringify(input)),
    }) as never;
  });
}

const recordExport = (
  db: Database,
  request: FastifyRequest,
  exported: { operation: string; businessUnitId: string | null; eventId: string | null },
): Promise<unknown> =>
  writeAudit(
    db,
    newAuditedRequest({ requestId: request.id, actor: actorOf(request), ...exported }),
    {},
  );
