import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../core/clock.ts';
import { ApiError, envelope, invalidArgument } from '../core/errors.ts';

/** The errors of Node's HTTP parser, before there is a request. */
export function clientError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError(431, 'The request headers are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError(408, 'The request did not arrive in time');
  return invalidArgument([
    { field: 'request', issue: 'is not valid HTTP/1.1', code: 'invalid_format' },
  ]);
}

/** Writes an error envelope to a socket and closes it. `headers` are added to each response. */
export function writeToSocket(
  socket: Socket,
  error: ApiError,
  headers: Record<string, string>,
): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(envelope(error));
  const lines = Object.entries({
    date: systemClock.now().toUTCString(),
    ...headers,
    ...error.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${error.code} ${STATUS_CODES[error.code] ?? ''}`;
  socket.end(`${statusLine}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
