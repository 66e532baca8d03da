import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Cell, cellPath } from '@event-api/contracts/cells';
import { ApiError, invalidArgument } from '@event-api/platform/core/errors';
import { writeToSocket } from '@event-api/platform/http/client-error';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The scheme and the host of an absolute form, with the slash that begins its path. */
const absoluteForm = /^https?:\/\/[^/?#]*\/?/i;

/**
 * Returns the function that routes a request. In a cell, `/cells/<its name>/docs/` is routed as
 * `/docs/`: proxies send what has no credential to the cell in its path, and change no path.
 */
export function createOriginForm(cell: Cell): (request: IncomingMessage) => string {
  if (cell === null) return originForm;
  const prefix = `${cellPath(cell)}/`;
  return (request) => {
    const path = originForm(request);
    return path.startsWith(prefix) ? path.slice(prefix.length - 1) : path;
  };
}

/**
 * Returns the path that routes a request. The absolute form `http://host/path` is routed as
 * `/path`, and as `/` without a path. A path that cannot be decoded is replaced by one that no
 * route matches, so that all checks before the 404 still apply.
 */
function originForm(request: IncomingMessage): string {
  const sent = request.url ?? '/';
  if (sent.startsWith('/') && !sent.includes('%')) return sent;
  const url = sent.replace(absoluteForm, '/');
  const path = url.split('?', 1)[0] ?? '';
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.startsWith('/v1/') ? '/v1/%25' : '/%25';
  }
}

/** The methods of the API, for the `Allow` header of a request without a path. */
const apiMethods = 'GET, HEAD, PATCH, POST, PUT';

/**
 * Responds with the error envelope to requests that Node would otherwise reject with its own
 * response or accept: `CONNECT`, an unknown `Expect`, and a missing or repeated `Host`.
 */
export function rejectUnsupportedRequests(
  app: FastifyInstance,
  earlyHeaders: () => Record<string, string>,
): void {
  app.server.on('checkExpectation', (request: IncomingMessage, _response: ServerResponse) => {
    writeToSocket(
      request.socket,
      new ApiError(417, 'The only supported value of Expect is 100-continue'),
      earlyHeaders(),
    );
  });
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node detaches its own handlers for CONNECT; an error without a listener would end the
    // process.
    socket.on('error', () => socket.destroy());
    const headers = { allow: apiMethods };
    const error = new ApiError(405, 'CONNECT is not supported', { headers });
    writeToSocket(socket, error, earlyHeaders());
    socket.destroySoon();
  });
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const hosts = countHeader(raw, 'host');
    if (hosts > 1) {
      throw invalidArgument([{ field: 'Host', issue: 'must be sent once', code: 'invalid_value' }]);
    }
    if (raw.httpVersion === '1.1' && !raw.headers.host) {
      throw invalidArgument([{ field: 'Host', issue: 'is required', code: 'required' }]);
    }
    done();
  });
}

/**
 * Counts the occurrences of a header. Node keeps only the first value of headers that must be
 * unique.
 */
export function countHeader({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i];
    // Most names differ in their length already, and a comparison of lower-cased names costs a copy
    // of each.
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Returns the credential of a request. A request with two credentials has none, because a proxy may
 * have used the other one.
 */
export const bearerCredential = ({ headers, raw }: FastifyRequest): string | undefined =>
  countHeader(raw, 'authorization') === 1 ? headers.authorization : undefined;
