import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, Owner } from '@event-api/contracts/operation';
import { ApiError } from '@event-api/platform/core/errors';
import type { CallerClaims, CallerSigner } from '@event-api/platform/http/caller-tokens';
import type { HttpServer } from '@event-api/platform/http/server';
import { tracedRequest } from '@event-api/platform/http/traced-request';
import type { Metrics } from '@event-api/platform/telemetry/metrics';
import { partLate, partUnavailable } from '../errors.ts';

/** The response of a service, whatever its status. */
export interface ServiceResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A request to the owner of an operation. */
export interface ServiceRequest {
  operation: Operation;
  /** The path with its query. */
  path: string;
  caller: CallerClaims;
  headers: Record<string, string>;
  body?: Buffer | undefined;
  timeoutMs: number;
  /** Whether the owner responds when something has changed, which may take long. */
  isLongPoll?: boolean;
}

/**
 * Sends a request to the owner of an operation and reads the whole response, so a truncated one is
 * never passed on. Errors: 503 for an owner that is down or does not accept the token of the
 * console; 504 after the timeout. Both name the owner.
 */
export type SendRequest = (request: ServiceRequest) => Promise<ServiceResponse>;

/** The addresses of the services. API operations and operator commands have different listeners. */
export interface ServiceUrls {
  api: Partial<Record<Owner, string>>;
  internal: Partial<Record<Owner, string>>;
}

export function createSendRequest({
  urls,
  signer,
  metrics,
}: {
  urls: ServiceUrls;
  signer: CallerSigner;
  metrics: Metrics;
}): SendRequest {
  const count = metrics.counter('console.owner.requests');
  return async ({ operation, path, caller, headers, body, timeoutMs }) => {
    const { owner, audience } = operation.config;
    const base = (audience === 'api' ? urls.api : urls.internal)[owner];
    if (!base) throw new Error(`no address is configured for ${owner}`);
    try {
      const { statusCode, ...response } = await tracedRequest(new URL(path, base), {
        target: { owner, template: operation.url },
        method: operation.method,
        headers: { ...headers, 'x-caller': await signer.sign(caller) },
        ...(body && { body }),
        timeoutMs,
      });
      count({ owner, outcome: outcomeOf(statusCode) });
      // The browser must not take it for the end of its session.
      if (statusCode === 401) {
        throw partUnavailable(owner, new Error(`${owner} rejects the caller token of the console`));
      }
      return { status: statusCode, ...response };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      count({ owner, outcome: isLate ? 'late' : 'away' });
      throw isLate ? partLate(owner, error) : partUnavailable(owner, error);
    }
  };
}

function outcomeOf(status: number): string {
  if (status < 400) return 'success';
  if (status === 401) return 'unauthenticated';
  return status < 500 ? 'rejected' : 'failed';
}

/** Sends the requests for operations of the console to its own listener, without a connection. */
export const withOwnOperations =
  (send: SendRequest, { signer, own }: { signer: CallerSigner; own: HttpServer }): SendRequest =>
  async (request) => {
    const { operation, path, caller, headers, body } = request;
    if (operation.config.owner !== 'console') return send(request);
    const { statusCode, rawPayload, ...response } = await own.inject({
      method: operation.method,
      url: path,
      headers: { ...headers, 'x-caller': await signer.sign(caller) },
      ...(body && { payload: body }),
    });
    return { status: statusCode, headers: response.headers, body: rawPayload } as ServiceResponse;
  };
