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
import { listRefunds } from '@event-api/contracts/operator/refunds';
import { newAuditedRequest } from '@event-api/platform/audit/audited-request';
import { writeAudit } from '@event-api/platform/audit/write';
import { ApiError, invalidArgument, notFound } from '@event-api/platform/core/errors';
import type { Database } from '@event-api/platform/db/database';
import type { CallerClaims } from '@event-api/platform/http/caller-tokens';
import { nameMissingField } from '@event-api/platform/http/missing-record';
import type { HttpServer } from '@event-api/platform/http/server';
import { createServicePath } from '@event-api/platform/http/service-path';
import type { FastifyRequest } from 'fastify';
import { partUnavailable } from '../errors.ts';
import { actorOf, memberOf, requirePermission } from '../forwarding/authorize.ts';
import { exchange, type ForwardingDeps, respond } from '../forwarding/forward.ts';
import { type Attempt, orRecord, type RecordRefusal } from '../forwarding/record-refusal.ts';
import type { Units } from '../units/units.ts';

/**
 * The operation in the audit log, and the one whose permission an export needs: it reads the same
 * records.
 */
const exports: Record<ExportedList, { operation: string; reads: Operation; isOfEvent: boolean }> = {
  registrations: {
    operation: 'registration.export',
    reads: listRegistrations,
    isOfEvent: true,
  },
  orders: { operation: 'order.export', reads: listOrders, isOfEvent: true },
  redemptionCodes: { operation: 'code.export', reads: listRedemptionCodes, isOfEvent: true },
  refunds: { operation: 'refund.export', reads: listRefunds, isOfEvent: false },
  entries: { operation: 'audit.export', reads: listAudit('console'), isOfEvent: false },
};

export type ExportDeps = ForwardingDeps & {
  db: Database;
  units: Units;
  recordRefusal: RecordRefusal;
};

/**
 * Audits a CSV export. The browser reads the list page by page, and
 * reads do not appear in the audit log; a file with personal data does. The browser saves nothing
 * without this entry. Errors: 403 without the permission to read the list; 404 for an event that
 * the business unit does not have.
 */
export function exportRoutes(app: HttpServer, deps: ExportDeps): void {
  app.post(
    '/exports',
    { schema: { body: RecordExport }, config: { attempts: 'list.export' } },
    async (request) => {
      const { operation, reads, isOfEvent } = exports[request.body.list];
      const caller = await memberOf(deps.units, request, 'operator');
      const { businessUnitId = '' } = caller;
      const eventId = isOfEvent ? requireEventId(request.body) : null;
      const attempt = { operation, businessUnitId, eventId };
      await orRecord(deps.recordRefusal, request, attempt, async () => {
        requirePermission(caller, reads, {}, { businessUnitId });
        if (eventId !== null) await requireList(deps, request, { reads, caller, eventId });
      });
      await recordExport(deps.db, request, attempt);
      return {};
    },
  );

  // The entry is written when the file is complete and before it is sent, so that no file exists
  // without one.
  app.post(
    '/badges',
    { schema: { body: PrintedBadges }, config: { attempts: 'badge.export' } },
    async (request, reply) => {
      const { eventId } = request.body;
      const caller = await memberOf(deps.units, request, 'operator');
      const { businessUnitId = '' } = caller;
      const attempt = { operation: 'badge.export', businessUnitId, eventId };
      const input = { ...request.body, businessUnitId };
      await orRecord(deps.recordRefusal, request, attempt, () =>
        requirePermission(caller, printBadges, {}, input),
      );
      const response = await exchange(deps, request, {
        operation: printBadges,
        path: printBadges.url,
        caller,
        scope: { businessUnitId, eventId },
        body: Buffer.from(JSON.stringify(input)),
      });
      const { status } = response;
      if (status === 200) await recordExport(deps.db, request, attempt);
      else
        deps.recordRefusal(
          request,
          attempt,
          new ApiError(status as ApiError['code'], 'No badges were printed'),
        );
      return respond(reply, response) as never;
    },
  );
}

/** Errors: 400 without an event. */
function requireEventId({ eventId }: { eventId?: string | undefined }): string {
  if (eventId !== undefined) return eventId;
  throw invalidArgument([
    { field: 'eventId', issue: 'is required for this list', code: 'required' },
  ]);
}

/**
 * Reads one record of the list. Errors: 404 for an event that the business unit does not have; 503.
 */
async function requireList(
  deps: ExportDeps,
  request: FastifyRequest,
  { reads, caller, eventId }: { reads: Operation; caller: CallerClaims; eventId: string },
): Promise<void> {
  const { businessUnitId = '' } = caller;
  const { status } = await exchange(deps, request, {
    operation: reads,
    path: `${createServicePath(reads.url)({ eventId })}?limit=1`,
    caller: { ...caller, audience: 'api' },
    scope: { businessUnitId, eventId },
    body: null,
  });
  if (status === 404) throw nameMissingField(notFound('event'), { eventId });
  if (status !== 200) throw partUnavailable(reads.config.owner);
}

const recordExport = (db: Database, request: FastifyRequest, exported: Attempt): Promise<void> =>
  writeAudit(
    db,
    newAuditedRequest({ requestId: request.id, actor: actorOf(request), ...exported }),
    {},
  );
