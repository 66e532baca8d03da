import { isMutation, type Operation } from '@event-api/contracts/operation';
import { newAuditedRequest } from '@event-api/platform/audit/audited-request';
import { writeAudit } from '@event-api/platform/audit/write';
import { ApiError } from '@event-api/platform/core/errors';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { FastifyRequest } from 'fastify';
import { actorOf } from './authorize.ts';

/** A request that the console does not forward. */
export interface Refused {
  operation: Operation;
  businessUnitId: string | null;
  eventId: string | null;
}

/** Writes that an operator has tried what its role does not permit. */
export type RecordRefusal = (request: FastifyRequest, refused: Refused, error: unknown) => void;

/**
 * Records refusals by the console: 403, and 404 of another business unit. No service receives these requests, so they are in
 * the log of the console. The response does not wait for the entry; a lost one is counted.
 */
export function createRecordRefusal({
  db,
  log,
  metrics,
}: {
  db: Pick<Database, 'transaction'>;
  log: Pick<Logger, 'warn'>;
  metrics: Metrics;
}): RecordRefusal {
  const countLost = metrics.counter('audit.refusals.lost');
  return (request, { operation, ...scope }, error) => {
    if (!(error instanceof ApiError) || error.code >= 500 || !isMutation(operation)) return;
    const { operationId } = operation.config;
    const known = { requestId: request.id, operation: operationId, actor: actorOf(request) };
    const refused = newAuditedRequest({ ...known, ...scope });
    writeAudit(db, refused, { result: 'refused', reason: error.status }).catch((failure) => {
      countLost();
      log.warn({ err: failure }, 'failed to record a refusal');
    });
  };
}
