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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(
        null,
        body.length === 0 ? undefined : JSON.parse(utf8.decode(body as Buffer), dropProto),
      );
    } catch {
      done(invalidArgument([{ field: 'body', issue: 'is not valid JSON', code: 'invalid_json' }]));
    }
  });
}

// Such a key would become a prototype in the hands of a careless copy. Unknown fields are ignored anyway.
function dropProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}
