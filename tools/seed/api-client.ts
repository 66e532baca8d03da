/**
 * A client for the public API, for load tests and drills: it repeats nothing and hides no response.
 */
export interface ApiClient {
  /** Returns the response body. Errors: any status except 2xx, with the envelope in the message. */
  request<Body>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Body>;
}

/**
 * Creates a client with one key. Paths begin with `/v1`. Load tests in containers use it, so it
 * needs no test code.
 */
export function createApiClient(gatewayUrl: string, secret: string): ApiClient {
  return {
    async request<Body>(method: string, path: string, body?: unknown) {
      const response = await fetch(`${gatewayUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      if (!response.ok) {
        throw new Error(
          `${method} ${path} responded with ${response.status}: ${await response.text()}`,
        );
      }
      return (await response.json()) as Body;
    },
  };
}
