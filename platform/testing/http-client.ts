/** A JSON response, or a file: a string if it is text, otherwise a Buffer. */
export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the content of a response.
  body: any;
}

export type HttpClient = (
  method: string,
  path: string,
  options?: {
    /** Sent as JSON. */
    body?: unknown;
    /** Sent as is. */
    raw?: string | Buffer;
    headers?: Record<string, string>;
  },
) => Promise<TestResponse>;

/**
 * The HTTP client of tests and tools, for one address. It sends the headers `common` with every
 * request, follows no redirect and returns every status. Errors: no response, or none within
 * `timeoutMs`.
 */
export function httpClient(
  baseUrl: string,
  common: Record<string, string> = {},
  { timeoutMs }: { timeoutMs?: number } = {},
): HttpClient {
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
      ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
      ...(payload === undefined ? {} : { body: payload as never }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isBinary = binaryTypes.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: bytes.length === 0 ? undefined : isBinary ? bytes : parse(bytes.toString()),
    };
  };
}

const binaryTypes = /^application\/(pdf|vnd\.apple\.pkpass)/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
