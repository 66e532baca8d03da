import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, invalidArgument } from '@event-api/platform/errors';
import { writeToSocket } from '@event-api/platform/http/client-error';
import type { FastifyInstance } from 'fastify';

const absoluteForm = /^https?:\/\/[^/?#]*/i;

/**
 * The path that a request is routed by. A request to `http://host/path` means `/path`; a path that
 * cannot be decoded names nothing, and is routed to nothing, past every check that comes before a 404.
 */
export function originForm(request: IncomingMessage): string {
  const url = (request.url ?? '/').replace(absoluteForm, '') || '/';
  const path = url.split('?', 1)[0] ?? '';
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.startsWith('/v1/') ? '/v1/%25' : '/%25';
  }
}

/** Gives the envelope to what Node would otherwise refuse in its own words: no `Host`, an unknown `Expect`. */
export function refuseOddRequests(
  app: FastifyInstance,
  earlyHeaders: () => Record<string, string>,
): void {
  app.server.on('checkExpectation', (request: IncomingMessage, _response: ServerResponse) => {
    writeToSocket(
      request.socket,
      new ApiError(417, 'Only 100-continue can be expected'),
      earlyHeaders(),
    );
  });
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && !raw.headers.host) {
      throw invalidArgument([{ field: 'Host', issue: 'is required', code: 'required' }]);
    }
  });
}
