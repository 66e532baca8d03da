/** Speaks to the public API as an integrator does. */
export interface ApiClient {
  /** The answer's body. Errors: any status but 2xx, with the envelope in the message. */
  request<Reply>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Reply>;
}

/** A client with one key; `path` begins with `/v1`. */
export function createApiClient(gatewayUrl: string, secret: string): ApiClient {
  return {
    async request<Reply>(method: string, path: string, body?: unknown) {
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
      return (await response.json()) as Reply;
    },
  };
}
