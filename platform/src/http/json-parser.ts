import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { invalidArgument } from '../errors.ts';

// A byte order mark stays in the text, where JSON has no place for it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Makes `application/json` the only body there is, strictly UTF-8. An empty body counts as none, so
 * that a POST without a body may still say that it is JSON.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  forgetTypeOfNothing(app);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Only who may repeat itself has to be known again.
    if (request.headers['idempotency-key'] !== undefined) {
      request.bodyHash = createHash('sha256').update(body).digest('base64url');
    }
    try {
      done(null, parse(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Where there is no body its type says nothing: many clients send one with every POST. */
function forgetTypeOfNothing(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    const length = headers['content-length'] ?? '0';
    if (length === '0' && !headers['transfer-encoding']) delete headers['content-type'];
  });
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const value = parseJson(body);
  // No operation takes it, and whoever validates could not tell it from a body that was left out.
  if (value === null) {
    throw invalidArgument([
      { field: 'body', issue: 'must be a JSON object', code: 'invalid_type' },
    ]);
  }
  return value;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body), dropProto);
  } catch {
    throw invalidArgument([{ field: 'body', issue: 'is not valid JSON', code: 'invalid_json' }]);
  }
}

// Such a key would become a prototype in the hands of a careless copy. Unknown fields are ignored anyway.
function dropProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
