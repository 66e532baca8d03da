import { check } from 'k6';
import http, { type RefinedResponse } from 'k6/http';
import { testData } from './test-data.ts';

export type ApiResponse = RefinedResponse<'text'>;

/** Answers that the contract has for a correct request. All else fails the run's `http_req_failed`. */
const expected = (statuses: number[]) => http.expectedStatuses(...statuses);

/** One request of the API. `name` stands for its operation, so that ids make no series of their own.
 *  `turn` chooses the key. */
export function call(
  name: string,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  options: { body?: unknown; statuses?: number[]; turn?: number } = {},
): ApiResponse {
  const { body, statuses = [200], turn = 0 } = options;
  const key = testData.keys[turn % testData.keys.length];
  const response = http.request(
    method,
    `${testData.baseUrl}${path}`,
    body ? JSON.stringify(body) : null,
    {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      tags: { name },
      responseCallback: expected(statuses),
      responseType: 'text',
      timeout: '10s',
    },
  );
  check(response, {
    [`${name} answers ${statuses.join(' or ')}`]: ({ status }) => statuses.includes(status),
  });
  return response as ApiResponse;
}

export const eventPath = () => `/v1/events/${testData.eventId}`;

/** The body as an object; an empty one where it is none. */
export function bodyOf(response: ApiResponse): Record<string, unknown> {
  try {
    return response.json() as Record<string, unknown>;
  } catch {
    return {};
  }
}
