import { check, sleep } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { testData } from './test-data.ts';

export type ApiResponse = RefinedResponse<'text'>;

/**
 * Statuses that the contract allows for the request. Any other status counts in `http_req_failed`.
 */
const expected = (statuses: number[]) => http.expectedStatuses(...statuses);

interface CallOptions {
  body?: unknown;
  statuses?: number[];
  /** Selects the key. */
  turn?: number;
  /** The token of a device, in place of a key. */
  token?: string;
  timeout?: string;
}

/** Sends one API request. `name` is the operation, so that paths with ids share one series. */
export function call(
  name: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { body, statuses = [200], turn = 0, token, timeout = '10s' }: CallOptions = {},
): ApiResponse {
  const bearer = token ?? testData.keys[turn % testData.keys.length];
  const response = http.request(
    method,
    `${testData.baseUrl}${path}`,
    body ? JSON.stringify(body) : null,
    {
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      tags: { name },
      responseCallback: expected(statuses),
      responseType: 'text',
      timeout,
    },
  );
  check(response, {
    [`${name} responds with ${statuses.join(' or ')}`]: ({ status }) => statuses.includes(status),
  });
  return response as ApiResponse;
}

export const eventPath = () => `/v1/events/${testData.eventId}`;

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

/** Submits the hosted payment page. */
export function pay(paymentUrl: string): void {
  const url = at ? paymentUrl.replace(/^https?:\/\/[^/]+/, at) : paymentUrl;
  const paid = http.post(`${url}/pay`, null, { tags: { name: 'pay' }, redirects: 0 });
  check(paid, { 'the page accepts the payment': ({ status }) => status < 400 });
}

const attempts = 50;

/** Reads an order until it is paid, for up to five seconds. */
export function untilPaid(orderPath: string, turn: number): void {
  let isPaid = false;
  for (let attempt = 0; attempt < attempts && !isPaid; attempt++) {
    if (attempt > 0) sleep(0.1);
    isPaid = bodyOf(call('readOrder', 'GET', orderPath, { turn })).status === 'paid';
  }
  check(isPaid, { 'the order becomes paid': (passed) => passed });
}
