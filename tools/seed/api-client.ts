import { httpClient } from '@event-api/platform/testing/http-client';

/** A client for the public API. */
export interface ApiClient {
  /** Returns the response body. Errors: any status except 2xx, with the envelope in the message. */
  request<Body>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Body>;
}

/** Creates a client with one key. Paths begin with `/v1`. */
export function createApiClient(gatewayUrl: string, secret: string): ApiClient {
  const headers = { authorization: `Bearer ${secret}` };
  const send = httpClient(gatewayUrl, headers, { timeoutMs: 30_000 });
  return {
    async request(method, path, body) {
      const response = await send(method, path, { body });
      if (response.status < 200 || response.status >= 300) {
        const text = JSON.stringify(response.body);
        throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
      }
      return response.body;
    },
  };
}
