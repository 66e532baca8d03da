import { newAuditedRequest } from '@event-api/platform/audit/audited-request';
import { writeAudit } from '@event-api/platform/audit/write';
import { ApiError } from '@event-api/platform/core/errors';
import type { Logger } from '@event-api/platform/core/log';
import type { Database } from '@event-api/platform/db/database';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import type { FastifyRequest } from 'fastify';
import { actorOf } from './authorize.ts';

/** A change that an operator has tried, as the audit log names it. */
export interface Attempt {
  operation: string;
  businessUnitId: string | null;
  eventId: string | null;
  records?: readonly string[];
}

/** Writes that an attempt was refused. Ignores errors that are no refusal. */
export type RecordRefusal = (request: FastifyRequest, attempt: Attempt, error: unknown) => void;

/**
 * Records refusals by the console: 403, and 404 of another business unit. No service receives these
 * requests, so they are in the log of the console. The response does not wait for the entry; a lost
 * one is counted.
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
  return (request, attempt, error) => {
    if (!(error instanceof ApiError) || error.code >= 500) return;
    const known = { requestId: request.id, actor: actorOf(request) };
    const refused = newAuditedRequest({ ...known, ...attempt });
    writeAudit(db, refused, { result: 'refused', reason: error.status }).catch((failure) => {
      countLost();
      log.warn({ err: failure }, 'failed to record a refusal');
    });
  };
}

/**
 * Carries out `work`, and records the attempt as refused if it is rejected. Errors: those of
 * `work`.
 */
export async function orRecord<Result>(
  recordRefusal: RecordRefusal,
  request: FastifyRequest,
  attempt: Attempt,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    recordRefusal(request, attempt, error);
    throw error;
  }
}
