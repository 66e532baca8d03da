import { expect, test } from 'vitest';
import { apiOperations } from '../src/http/operations.ts';
import { openApiDocument, openApiPath } from '../src/openapi/document.ts';

const event = '/v1/events/{eventId}';

/** The operations of the first release, independent of the code: none of them disappears. */
const promised = [
  'GET /v1/events',
  'POST /v1/events',
  `GET ${event}`,
  `PATCH ${event}`,
  `POST ${event}/archive`,
  `GET ${event}/form`,
  `GET ${event}/refund-policy`,
  `GET ${event}/ticket-types`,
  `POST ${event}/ticket-types`,
  `GET ${event}/ticket-types/{typeId}`,
  `PATCH ${event}/ticket-types/{typeId}`,
  `GET ${event}/ticket-types/{typeId}/availability`,
  `GET ${event}/registrations`,
  `POST ${event}/registrations`,
  `GET ${event}/registrations/{id}`,
  `PATCH ${event}/registrations/{id}`,
  `POST ${event}/registrations/{id}/approve`,
  `POST ${event}/registrations/{id}/reject`,
  `POST ${event}/registrations/{id}/cancel`,
  `GET ${event}/registrations/{id}/perks`,
  `GET ${event}/redemption-codes`,
  `POST ${event}/redemption-codes`,
  `GET ${event}/redemption-codes/lookup`,
  `GET ${event}/redemption-codes/{codeId}`,
  `POST ${event}/redemption-codes/{codeId}/disable`,
  `GET ${event}/addons`,
  `POST ${event}/addons`,
  `GET ${event}/addons/{id}`,
  `PATCH ${event}/addons/{id}`,
  `GET ${event}/bundles`,
  `POST ${event}/bundles`,
  `GET ${event}/bundles/{id}`,
  `PATCH ${event}/bundles/{id}`,
  `PUT ${event}/bundles/{id}/items`,
  `GET ${event}/orders`,
  `POST ${event}/orders`,
  `GET ${event}/orders/{orderId}`,
  `POST ${event}/orders/{orderNumber}/confirm`,
  `POST ${event}/orders/{orderNumber}/cancel`,
  `GET ${event}/checkins`,
  `POST ${event}/checkins`,
  `GET ${event}/checkins/{id}`,
  `GET ${event}/sessions`,
  `GET ${event}/sessions/{id}`,
  `GET ${event}/speakers`,
  `GET ${event}/speakers/{id}`,
  `GET ${event}/venues`,
  `GET ${event}/venues/{id}`,
  `GET ${event}/attendees`,
  `GET ${event}/attendees/{id}`,
  `GET ${event}/exhibitors`,
  `GET ${event}/exhibitors/{exhibitorId}`,
];

const declared = () =>
  apiOperations.map(({ method, url }) => `${method} ${openApiPath(url)}`).toSorted();

test('every operation that integrators rely on is declared, once', () => {
  expect(declared()).toEqual(expect.arrayContaining(promised));
  expect(new Set(declared()).size).toBe(apiOperations.length);
});

// `openapi.test.ts` compares the document with the committed one, so that no operation appears
// unnoticed.
test('the document lists exactly the declared operations', () => {
  const { paths } = openApiDocument(apiOperations) as { paths: Record<string, object> };
  const listed = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(listed.toSorted()).toEqual(declared());
});
