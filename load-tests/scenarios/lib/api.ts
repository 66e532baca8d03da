import type { LoadEvent } from '@event-api/tools/load/test-data';
import { check, sleep } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { Rate } from 'k6/metrics';
import { baseUrl, event as firstEvent } from './test-data.ts';
import type { Kind } from './thresholds.ts';

export type ApiResponse = RefinedResponse<'text'>;

const serverErrors = new Rate('server_errors');

interface CallOptions {
  body?: unknown;
  /** Statuses that the contract allows for the request. */
  statuses?: number[];
  /** Selects the key. */
  turn?: number;
  /** The event whose business unit has the key. */
  event?: LoadEvent;
  /** The token of a device, in place of a key. */
  token?: string;
  /** What the request is for; a GET is a read. */
  kind?: Kind;
  timeout?: string;
}

/**
 * Sends one API request. `name` is the operation, so that paths with ids share one series. A 5xx or
 * no response counts as a server error, and any other unexpected status fails a check.
 */
export function call(
  name: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  options: CallOptions = {},
): ApiResponse {
  const { body, statuses = [200], turn = 0, event = firstEvent, timeout = '10s' } = options;
  const kind = options.kind ?? (method === 'GET' ? 'read' : 'other');
  const bearer = options.token ?? event.keys[turn % event.keys.length];
  const response = http.request(method, `${baseUrl}${path}`, body ? JSON.stringify(body) : null, {
    headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
    tags: { name, kind },
    responseCallback: http.expectedStatuses(...statuses),
    responseType: 'text',
    timeout,
  });
  const isExpected = statuses.includes(response.status);
  const isServerError = !isExpected && (response.status === 0 || response.status >= 500);
  serverErrors.add(isServerError);
  if (!isServerError)
    check(response, { [`${name} responds with ${statuses.join(' or ')}`]: () => isExpected });
  return response as ApiResponse;
}

export const pathOf = ({ eventId }: LoadEvent): string => `/v1/events/${eventId}`;

export const eventPath = (): string => pathOf(firstEvent);

/** Returns the body as an object, or an empty object if it is not JSON. */
export function bodyOf(response: ApiResponse): Record<string, unknown> {
  try {
    return response.json() as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Address of the payment page in containers, where it differs from the address for browsers. */
const at = __ENV.PAYMENTS_AT;

/** Submits the hosted payment page. It is the provider's, so no objective is about it. */
export function pay(paymentUrl: string): void {
  const url = at ? paymentUrl.replace(/^https?:\/\/[^/]+/, at) : paymentUrl;
  const paid = http.post(`${url}/pay`, null, { tags: { name: 'pay' }, redirects: 0 });
  check(paid, { 'the page accepts the payment': ({ status }) => status > 0 && status < 400 });
}

const paidWithinSeconds = 10;
const pauseSeconds = 0.25;

/** Reads an order until it is paid, for up to ten seconds. Returns whether it is. */
export function untilPaid(
  orderPath: string,
  options: Pick<CallOptions, 'turn' | 'event'>,
): boolean {
  let isPaid = false;
  for (let waited = 0; waited < paidWithinSeconds && !isPaid; waited += pauseSeconds) {
    if (waited > 0) sleep(pauseSeconds);
    isPaid = bodyOf(call('readOrder', 'GET', orderPath, options)).status === 'paid';
  }
  return check(isPaid, { 'the order becomes paid': (passed) => passed });
}
