/** A JSON response. */
export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the content of a response.
  body: any;
}

export type HttpClient = (
  method: string,
  path: string,
  options?: { body?: unknown; raw?: string | Buffer; headers?: Record<string, string> },
) => Promise<TestResponse>;

/**
 * A client for one address that sends these headers with every request. `raw` is sent as is, `body` as JSON.
 */
export function httpClient(baseUrl: string, common: Record<string, string> = {}): HttpClient {
  return async (method, path, { body, raw, headers } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        ...common,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload as never }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? undefined : parse(text),
    };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
