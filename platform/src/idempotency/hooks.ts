import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import { aborted, invalidArgument } from '../errors.ts';
import { type Faults, noFaults } from '../faults.ts';
import { canonicalJson } from './canonical-json.ts';
import { idempotencyQueries } from './queries.ts';
import { decideRepeat, decideSettling } from './rules.ts';
import { type IdempotencyScope, runIdempotently } from './scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that this request holds, until it is answered. */
    heldKey: { id: KeyId; scope: IdempotencyScope } | null;
  }
}

type KeyId = readonly [businessUnitId: string, operation: string, key: string];

const keyHeader = 'idempotency-key';
const sweepEveryMs = 60_000;

/**
 * Lets a POST of the API be repeated without a second effect. The key is kept before anything else is done; ids of
 * records are derived from it, so that a run which was cut off is recognised by the next one; and the answer is
 * kept until `keepMs` have passed. 409, 429 and 5xx are never kept, nor what is refused before the body is
 * valid; a repeat after a 5xx finds what was done in spite of it. Requests without the header cost nothing.
 * Errors: 400 for a malformed key, or one that another request has used; 409 `ABORTED` while it is worked on.
 * Source: docs/adr/0010-idempotency-keys.md.
 */
export function idempotentPosts(
  app: FastifyInstance,
  options: { db: Database; schema: string; faults?: Faults; leaseMs?: number; keepMs?: number },
): void {
  const { db, schema, faults = noFaults, leaseMs = 30_000, keepMs = 24 * 3_600_000 } = options;
  const queries = idempotencyQueries(schema);
  app.decorateRequest('heldKey', null);

  app.addHook('preHandler', (request, reply, done) => {
    const sent = request.headers[keyHeader];
    const { method, routeOptions } = request;
    if (sent === undefined || method !== 'POST' || routeOptions.config.audience !== 'api') {
      return done();
    }
    take(request, reply, String(sent)).then((held) => {
      if (held === 'answered') return;
      if (held === null) return done();
      runIdempotently(held, () => done());
    }, done);
  });

  async function take(request: FastifyRequest, reply: FastifyReply, key: string) {
    if (key.length < 1 || key.length > 255) throw malformedKey();
    if (faults.guardIsOff('idempotency')) return null;
    const operation = request.routeOptions.config.operationId ?? '';
    const id: KeyId = [request.caller.businessUnitId, operation, key];
    const hash = hashOf(request);
    for (;;) {
      const given = { hash, seed: randomUUID(), leaseMs, keepMs };
      const begun = await queries.begin(db, id, given);
      if (begun) {
        const { seed, begunAt, isNew } = begun;
        const scope = { seed, begunAt, isRerun: !isNew, counts: new Map(), isSpent: false };
        request.heldKey = { id, scope };
        await faults.reach('idempotency.begun');
        return scope;
      }
      const row = await queries.read(db, id);
      // Forgotten between the two statements: it is free.
      if (!row) continue;
      const decision = decideRepeat(row, hash);
      if (decision.outcome === 'other_request') throw usedOtherwise();
      if (decision.outcome === 'running') {
        throw aborted('The same request is still running', decision.retryAfterSeconds);
      }
      reply
        .code(decision.status)
        .headers({
          'idempotent-replayed': 'true',
          ...(decision.location !== null && { location: decision.location }),
        })
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(decision.body);
      return 'answered';
    }
  }

  app.addHook('onSend', async (request, reply, payload) => {
    const held = request.heldKey;
    if (!held) return payload;
    request.heldKey = null;
    await faults.reach('idempotency.effect');
    try {
      await settle(held, reply, String(payload));
    } catch (error) {
      // The lease ends, and a repeat finds what was done by its ids.
      request.log.warn({ err: error }, 'an answer could not be kept');
    }
    await faults.reach('idempotency.kept');
    return payload;
  });

  async function settle(
    { id, scope: { seed, isSpent } }: { id: KeyId; scope: IdempotencyScope },
    reply: FastifyReply,
    body: string,
  ): Promise<void> {
    const { statusCode: status } = reply;
    const settling = decideSettling(status, isSpent);
    if (settling !== 'keep') {
      await queries[settling](db, id, seed);
      return;
    }
    const location = reply.getHeader('location');
    await queries.keep(db, id, seed, {
      status,
      body,
      location: typeof location === 'string' ? location : null,
    });
  }

  const sweeper = setInterval(() => {
    queries.sweep(db, keepMs).catch(() => {});
  }, sweepEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(sweeper));
}

/** Identifies a request by its path and its body as a JSON value, as it was before validation. */
function hashOf({ url, unvalidatedBody }: FastifyRequest): string {
  return createHash('sha256')
    .update(`${url.split('?')[0]}\n${canonicalJson(unvalidatedBody)}`)
    .digest('base64url');
}

const malformedKey = () =>
  invalidArgument([
    { field: 'Idempotency-Key', issue: 'must have 1 to 255 characters', code: 'invalid_format' },
  ]);

const usedOtherwise = () =>
  invalidArgument([
    {
      field: 'Idempotency-Key',
      issue: 'was used for another request',
      code: 'invalid_value',
    },
  ]);
