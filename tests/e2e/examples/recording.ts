import { apiOperations } from '@event-api/contracts/http/operations';
import type { Operation } from '@event-api/contracts/operation';
import type { HttpClient, TestResponse } from '@event-api/platform/testing/http-client';

/** One request of a recorded run and its response. */
export interface Exchange {
  operationId: string;
  status: number;
  request: unknown;
  response: unknown;
}

export interface Recording {
  /** A client that records the first exchange of every operation and status. */
  call: HttpClient;
  /** In the order of the requests. */
  exchanges: Exchange[];
}

/**
 * Records the requests of `client` to operations of the API. Later exchanges with the same status
 * are not recorded.
 */
export function record(client: HttpClient): Recording {
  const exchanges: Exchange[] = [];
  return {
    exchanges,
    async call(method, path, options = {}) {
      const response = await client(method, path, options);
      const operation = operationOf(method, path);
      if (operation) add(operation, response, options.body);
      return response;
    },
  };

  function add({ config }: Operation, { status, body }: TestResponse, request: unknown): void {
    const { operationId } = config;
    // The reference describes a file by its media type.
    const isFile = config.files !== undefined && status < 300;
    const isRecorded = exchanges.some(
      (each) => each.operationId === operationId && each.status === status,
    );
    const response = isFile ? null : body;
    if (!isRecorded) exchanges.push({ operationId, status, request, response });
  }
}

/** Fixed path segments win over parameters: `/redemption-codes/lookup` is not a code's id. */
function operationOf(method: string, path: string): Operation | undefined {
  const [pathname = ''] = path.split('?');
  return apiOperations
    .filter((one) => one.method === method && patternOf(one).test(pathname))
    .toSorted((one, other) => one.url.split(':').length - other.url.split(':').length)[0];
}

const patternOf = ({ url }: Operation): RegExp =>
  new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`);
