import { storableIssue } from '@event-api/contracts/http/fields';
import { isMutation, type Operation } from '@event-api/contracts/operation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AuditedRequest, newAuditedRequest, runAudited } from '../audit/audited-request.ts';
import { writeAudit } from '../audit/write.ts';
import type { Logger } from '../core/log.ts';
import type { Database } from '../db/database.ts';
import type { Metrics } from '../telemetry/metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request in the audit log. Null for a read, and for a caller that is not audited. */
    audited: AuditedRequest | null;
  }
}

/**
 * Gives every change by an operator or the command line one entry of the audit log. The transaction
 * of a command writes it with `recordAudit` or `writeChanges`. A success without such a transaction
 * has changed nothing: its entry is written before the response. A refusal has rolled back: its
 * entry is written afterwards, and counted if that fails.
 *
 * A refusal for want of a permission, and one of a record of another business unit, belongs to the
 * log of the console.
 */
export function auditHooks(
  app: FastifyInstance,
  {
    db,
    log,
    metrics,
  }: { db: Pick<Database, 'transaction'>; log: Pick<Logger, 'warn'>; metrics: Metrics },
): void {
  const countLost = metrics.counter('audit.refusals.lost');
  const writing = new Set<Promise<void>>();
  app.decorateRequest('audited', null);

  app.addHook('preHandler', (request, _reply, done) => {
    if (!isAudited(request)) return done();
    request.audited = auditedRequestOf(request);
    runAudited(request.audited, done);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const { audited } = request;
    const isSuccess =
      reply.statusCode < 300 && reply.getHeader('idempotent-replayed') === undefined;
    if (audited && !audited.isRecorded && isSuccess) {
      await writeAudit(db, audited, { result: audited.hasStarted ? 'done' : 'unchanged' });
    }
    if (isRefusal(request, reply.statusCode)) {
      const refused = audited ?? auditedRequestOf(request);
      const written = writeAudit(db, refused, { result: 'refused', reason: reasonOf(payload) })
        .catch((error: unknown) => {
          countLost();
          log.warn({ err: error }, 'failed to record a refusal');
        })
        .finally(() => writing.delete(written));
      writing.add(written);
    }
    return payload;
  });

  app.addHook('onClose', async () => void (await Promise.all(writing)));
}

const audiences: readonly unknown[] = ['api', 'operator'];
const actorTypes: readonly unknown[] = ['operator', 'cli'];

/**
 * Whether a request is one that the audit log contains. Requests without a caller were not
 * authenticated.
 */
function isAudited({ caller, routeOptions }: FastifyRequest): boolean {
  const { config } = routeOptions;
  const operation = { method: routeOptions.method, config } as Pick<Operation, 'method' | 'config'>;
  return (
    caller !== null &&
    audiences.includes(config.audience) &&
    actorTypes.includes(caller.actor.type) &&
    isMutation(operation)
  );
}

function isRefusal(request: FastifyRequest, status: number): boolean {
  if (status < 400 || status >= 500 || status === 401 || status === 403) return false;
  if (!isAudited(request)) return false;
  const { businessUnitId } = request.caller;
  const named = textsOf(request.body).businessUnitId;
  return !businessUnitId || named === undefined || named === businessUnitId;
}

/**
 * The fields of a body whose values are texts that can be stored. An invalid body is not yet
 * parsed.
 */
function textsOf(body: unknown): Record<string, string> {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(
    entries.filter(
      ([, value]) => typeof value === 'string' && value.length <= 500 && !storableIssue(value),
    ),
  );
}

const isIdName = (name: string): boolean => name === 'id' || name.endsWith('Id');
const maxFields = 50;

function auditedRequestOf(request: FastifyRequest): AuditedRequest {
  const { caller, routeOptions, body } = request;
  const params = textsOf(request.params);
  const texts = textsOf(body);
  const { businessUnitId = caller.businessUnitId || null, eventId = null } = {
    ...texts,
    ...params,
  } as { businessUnitId?: string; eventId?: string };
  const named = { ...texts, ...params };
  const records = Object.keys(named)
    .filter((name) => isIdName(name) || params[name] !== undefined)
    .filter((name) => name !== 'businessUnitId' && name !== 'eventId')
    .flatMap((name) => named[name] ?? []);
  // As it was sent: validation adds defaults.
  const sent = request.unvalidatedBody ?? body;
  const names =
    typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? Object.keys(sent) : [];
  return newAuditedRequest({
    requestId: request.id,
    operation: routeOptions.config.operationId ?? '',
    actor: caller.actor,
    businessUnitId,
    eventId,
    records,
    fields: names.filter((name) => /^\w{1,64}$/.test(name) && !isIdName(name)).slice(0, maxFields),
    reason: texts.reason ?? null,
  });
}

/** The stable word of an error response: the reason of a 412, otherwise its status. */
function reasonOf(payload: unknown): string | null {
  try {
    const { status, details = [] } = JSON.parse(String(payload)).error;
    return details[0]?.reason ?? status;
  } catch {
    return null;
  }
}
