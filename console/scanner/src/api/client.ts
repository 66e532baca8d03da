/** What came of a request: a response of the platform, or none. */
export type Response = { status: number; body: unknown } | { status: null };

/** A door does not wait longer for one attempt. */
const timeoutMs = 5000;

interface Request {
  method?: 'GET' | 'POST';
  path: string;
  /** The pairing code or the token of the device. */
  bearer: string;
  body?: unknown;
  /** A retry with the same key has no second effect. */
  idempotencyKey?: string;
}

/** Sends one request to the platform that serves this page. Never throws: without a response, the status is null. */
export async function send({
  method = 'GET',
  path,
  bearer,
  body,
  idempotencyKey,
}: Request): Promise<Response> {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: null };
  }
}
