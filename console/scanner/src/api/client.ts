import { observeClock } from './clock.ts';

/** What came of a request: a response of the platform, or none. */
export type Response = { status: number; body: unknown } | { status: null };

/** A door does not wait longer for one attempt. */
const defaultTimeoutMs = 5000;

interface Request {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  /** The pairing code or the token of the device. */
  bearer: string;
  body?: unknown;
  /** A retry with the same key has no second effect. */
  idempotencyKey?: string;
  timeoutMs?: number;
}

/**
 * Sends one request to the platform that serves this page. Never throws: without a response, the
 * status is null. Every response also shows how far the clock of the device is off.
 */
export async function send({
  method = 'GET',
  path,
  bearer,
  body,
  idempotencyKey,
  timeoutMs = defaultTimeoutMs,
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
    observeClock(response.headers.get('date'));
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: null };
  }
}
