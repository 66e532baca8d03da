import type { Operation } from '@event-api/contracts/operation';
import { nextCursorHeader } from '@event-api/contracts/operator/badges';
import type { CallerClaims } from '@event-api/platform/http/caller-tokens';
import { pickHeaders } from '@event-api/platform/http/pick-headers';
import type { ReadAfterStore, TokenScope } from '@event-api/platform/messaging/read-after/store';
import {
  formatReadAfter,
  parseReadAfter,
  readAfterHeader,
} from '@event-api/platform/messaging/read-after/token';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SendRequest, ServiceResponse } from '../owners/send.ts';
import { timeouts } from '../timeouts.ts';

/** Headers of the browser that are forwarded to a service. All others are dropped. */
const requestHeaders = ['accept', 'content-type', 'idempotency-key', 'if-none-match'] as const;

/** Headers of a service that are forwarded to the browser. All others are dropped. */
const responseHeaders = [
  'content-type',
  'content-disposition',
  'content-security-policy',
  'etag',
  'idempotent-replayed',
  'location',
  nextCursorHeader,
  'retry-after',
] as const;

/**
 * Returns the response to a request: that of `send`, or that of an equal read which another page
 * has sent.
 */
export type ShareRead = (
  request: FastifyRequest,
  forwarded: Forwarded,
  send: () => Promise<ServiceResponse>,
) => Promise<ServiceResponse>;

export interface ForwardingDeps {
  send: SendRequest;
  readAfter: ReadAfterStore;
  /** Without it, nothing is shared. */
  shareRead?: ShareRead;
}

/** A request of a browser and where it goes. */
export interface Forwarded {
  operation: Operation;
  /** The path at the owner, with its query. */
  path: string;
  caller: CallerClaims;
  /** The scope of read-after; null for a command without a business unit. */
  scope: TokenScope | null;
  /** By default the body of the browser, unchanged. Null for none. */
  body?: Buffer | null;
}

/**
 * Forwards a request to the owner of its operation, and the response with its status, body and
 * allowed headers. The owner sees the writes of earlier requests of the business unit, of
 * integrators and operators alike, and later requests see those of this one. Errors: 503 and 504,
 * which name the owner.
 */
export async function forward(
  deps: ForwardingDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  forwarded: Forwarded,
): Promise<FastifyReply> {
  const send = () => exchange(deps, request, forwarded);
  return respond(reply, await (deps.shareRead?.(request, forwarded, send) ?? send()));
}

/** Sends a request to the owner of its operation as `forward` does, and returns the response. */
export async function exchange(
  { send, readAfter }: ForwardingDeps,
  request: FastifyRequest,
  { operation, path, caller, scope, body: ownBody }: Forwarded,
): Promise<ServiceResponse> {
  const required = scope && (await readAfter.load(scope));
  const response = await send({
    operation,
    path,
    caller,
    headers: {
      ...pickHeaders(request.headers, requestHeaders),
      'x-request-id': request.id,
      ...(required && { [readAfterHeader]: formatReadAfter(required) }),
    },
    body: ownBody === undefined ? (request.body as Buffer | undefined) : (ownBody ?? undefined),
    timeoutMs: operation.config.audience === 'api' ? timeouts.apiMs : timeouts.commandMs,
  });
  const written = parseReadAfter(response.headers[readAfterHeader]);
  if (scope && written) await readAfter.save(scope, written);
  return response;
}

/** Responds with the status, the allowed headers and the body of a service. */
export const respond = (
  reply: FastifyReply,
  { status, headers, body }: ServiceResponse,
): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...pickHeaders(headers, responseHeaders) })
    .send(body);
