import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/**
 * Starts a server for one test. `respond` receives the number of the request, from 1, and its body.
 * Returns its URL.
 */
export async function startServer(
  respond: (
    request: IncomingMessage,
    response: ServerResponse,
    count: number,
    body: string,
  ) => void,
): Promise<string> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    respond(request, response, ++count, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends a JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** An event as the API returns it. */
export const eventOf = (fields: Record<string, unknown> = {}) => ({
  ...{ id: 'evt_1', publicId: 'summit', name: 'Summit', status: 'draft' },
  ...{ startsAt: null, endsAt: null, timezone: 'UTC', currency: 'EUR', features: [] },
  capacityGroups: [],
  ...{ attendanceMode: 'in_person', country: null },
  ...{ publishedAt: null, cancelledAt: null, createdAt: '2027-01-01T00:00:00Z' },
  ...{ admissionOpensAt: null, admissionClosesAt: null },
  ...fields,
});
