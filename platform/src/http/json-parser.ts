import type { FieldIssue } from '@event-api/contracts/http/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiError, invalidArgument } from '../core/errors.ts';
import { isNestedDeeper } from './json-depth.ts';
import { createLargeBodies } from './large-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The parsed body before validation; only for a request with an `Idempotency-Key`. */
    unvalidatedBody?: unknown;
  }
}

const maxLevels = 64;

// A byte order mark stays in the text, where JSON does not allow it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Makes `application/json` the only body type, strictly UTF-8. An empty body counts as none, so
 * that a POST without a body may still declare JSON.
 */
export function registerJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  ignoreEmptyBodyType(app);
  const largeBodies = createLargeBodies();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      await largeBodies.turn(body.length);
      const value = parseBody(body);
      if (request.headers['idempotency-key'] !== undefined) request.unvalidatedBody = value;
      return value;
    },
  );
}

/** Ignores the type of an empty body: many clients send one with every POST. */
function ignoreEmptyBodyType(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const length = headers['content-length'] ?? '0';
    if (length === '0' && !headers['transfer-encoding']) delete headers['content-type'];
  });
}

/**
 * Parses a request body. `JSON.parse` runs without a reviver, which would be called for up to
 * 500,000 values. Validation rejects `__proto__` as an unknown field and drops it from open
 * objects.
 *
 * Errors: 400 for invalid UTF-8 or JSON, for `null`, and for more than 64 levels.
 */
export function parseBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  if (isNestedDeeper(body, maxLevels)) {
    throw invalidBody({
      issue: `is nested too deeply; at most ${maxLevels} levels`,
      code: 'too_deep',
    });
  }
  const value = parseJson(body);
  // No operation accepts null, and validation could not distinguish it from a missing body.
  if (value === null) throw invalidBody({ issue: 'must be a JSON object', code: 'invalid_type' });
  return value;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw invalidBody({ issue: 'is not valid JSON', code: 'invalid_json' });
  }
}

const invalidBody = (issue: Omit<FieldIssue, 'field'>): ApiError =>
  invalidArgument([{ field: 'body', ...issue }]);
