import { createHash, randomUUID } from 'node:crypto';
import type { Audience } from '@event-api/contracts/operation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { aborted } from '../../core/errors.ts';
import { reachStep } from '../../core/steps.ts';
import { idempotencyTimeouts } from '../../core/timeouts.ts';
import type { Database } from '../../db/database.ts';
import type { Caller } from '../caller-tokens.ts';
import { canonicalJson } from '../canonical-json.ts';
import { keyReused, malformedKey } from './errors.ts';
import { idempotencyQueries } from './idempotency.queries.ts';
import { decideCompletion, decideReplay } from './idempotency.rules.ts';
import { type IdempotencyScope, runWithLease } from './scope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that this request holds until its response. */
    idempotencyLease: { id: KeyId; scope: IdempotencyScope } | null;
  }
}

type KeyId = readonly [businessUnitId: string, operation: string, key: string];

// A key is for one request of its unit, whatever its operation: the hash contains the path.
const anyOperation = '';

const keyHeader = 'idempotency-key';

/** Where the service stores its keys. */
export interface IdempotencyOptions {
  db: Database;
  schema: string;
  leaseMs?: number;
}

/**
 * Lets clients repeat a POST of the API, or of an operator, without a second effect. The key is
 * stored before anything else. The ids of records are derived from it, so that the next run
 * recognizes the records of an interrupted one. A success is stored and replayed for 24 hours. A
 * rejection is not stored: a retry is decided again. A retry after a 5xx finds the effect of the
 * earlier run. Requests without the header cost nothing.
 *
 * Errors: 400 for a malformed key or one that another request has used; 409 `ABORTED` while the
 * request is running.
 * Source: docs/adr/0010-idempotency-keys.md.
 */
export function registerIdempotency(app: FastifyInstance, options: IdempotencyOptions): void {
  const { db, schema, leaseMs = idempotencyTimeouts.leaseMs } = options;
  const queries = idempotencyQueries(schema);
  app.decorateRequest('idempotencyLease', null);

  app.addHook('preHandler', (request, reply, done) => {
    const sent = request.headers[keyHeader];
    const { method, routeOptions } = request;
    const isIdempotent = method === 'POST' && callersWithKeys.has(routeOptions.config.audience);
    if (sent === undefined || !isIdempotent || routeOptions.config.isOnce) return done();
    acquireLease(request, reply, String(sent)).then((lease) => {
      if (lease === 'replayed') return;
      if (lease === null) return done();
      runWithLease(lease, () => done());
    }, done);
  });

  async function acquireLease(request: FastifyRequest, reply: FastifyReply, key: string) {
    if (key.length < 1 || key.length > 255) throw malformedKey();
    const id: KeyId = [keySpace(request.caller), anyOperation, storedKey(request.caller, key)];
    const hash = hashOf(request);
    for (;;) {
      const { retentionMs } = idempotencyTimeouts;
      const input = { hash, seed: randomUUID(), leaseMs, retentionMs };
      const acquired = await queries.acquire(db, id, input);
      if (acquired) {
        const { isFirstRun, ...run } = acquired;
        const counts = new Map<string, number>();
        const scope = {
          ...run,
          isRetry: !isFirstRun,
          counts,
          idsDiscarded: false,
          isStorable: true,
        };
        request.idempotencyLease = { id, scope };
        reachStep('idempotency.acquired');
        return scope;
      }
      const row = await queries.read(db, id);
      // Deleted between the two statements: the key is free.
      if (!row) continue;
      const decision = decideReplay(row, hash);
      if (decision.outcome === 'key_reused') throw keyReused();
      if (decision.outcome === 'running') {
        throw aborted('The same request is still running', 1);
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
      return 'replayed';
    }
  }

  app.addHook('onSend', async (request, reply, payload) => {
    const lease = request.idempotencyLease;
    if (!lease) return payload;
    request.idempotencyLease = null;
    reachStep('idempotency.effect');
    try {
      const secrets = request.routeOptions.config.secretInResponse;
      await complete(lease, reply, withoutSecrets(String(payload), secrets));
    } catch (error) {
      // The lease ends, and a retry finds the effect by its ids.
      request.log.warn({ err: error }, 'failed to store the idempotent response');
    }
    reachStep('idempotency.stored');
    return payload;
  });

  async function complete(
    { id, scope }: { id: KeyId; scope: IdempotencyScope },
    reply: FastifyReply,
    body: string,
  ): Promise<void> {
    const { statusCode: status } = reply;
    const completion = decideCompletion({ ...scope, status });
    if (completion !== 'store') {
      await queries[completion](db, id, scope);
      return;
    }
    const location = reply.getHeader('location');
    await queries.store(db, id, scope.seed, {
      status,
      body,
      location: typeof location === 'string' ? location : null,
    });
  }
}

const callersWithKeys = new Set<Audience | undefined>(['api', 'operator']);

/**
 * The namespace of the keys: the business unit, or one for all operators. No business unit has the
 * id `operator`.
 */
const keySpace = ({ audience, businessUnitId }: Caller): string =>
  audience === 'operator' ? 'operator' : businessUnitId;

/**
 * The key of a request as it is stored. Integrators choose their keys themselves; those of other
 * actors are apart from them, and from each other. No header contains the line break.
 */
function storedKey({ actor }: Caller, key: string): string {
  return actor.type === 'key' || actor.id === null ? key : `${actor.id}\n${key}`;
}

/** The body of a response as it is stored: without its secrets. */
function withoutSecrets(body: string, secrets: readonly string[] | undefined): string {
  if (!secrets) return body;
  const values = JSON.parse(body) as Record<string, unknown>;
  return JSON.stringify({
    ...values,
    ...Object.fromEntries(secrets.map((field) => [field, null])),
  });
}

/** Hashes the path and the body as a JSON value, as it was before validation. */
function hashOf({ url, unvalidatedBody }: FastifyRequest): string {
  return createHash('sha256')
    .update(`${url.split('?')[0]}\n${canonicalJson(unvalidatedBody)}`)
    .digest('base64url');
}
