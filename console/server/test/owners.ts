import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as an owner received it. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A business unit as the gateway returns it. */
const unitResponse = (id: string) => ({
  id,
  name: `Unit ${id}`,
  defaultCurrency: 'CHF',
  createdAt: '2027-01-01T00:00:00.000Z',
});

/**
 * The owners of all operations, as one server. It knows every business unit but `unit_missing`,
 * responds to other requests as the test says, and records them.
 */
export async function startOwners() {
  const received: Received[] = [];
  let respond: RequestListener = (_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  let isAway = false;
  const server = createServer(async (request, response) => {
    if (isAway) return void request.socket.destroy();
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/operator/unit.get') {
      const { businessUnitId } = JSON.parse(body);
      const isMissing = businessUnitId === 'unit_missing';
      response.writeHead(isMissing ? 404 : 200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(isMissing ? {} : unitResponse(businessUnitId)));
    }
    const { method = '', url = '', headers } = request;
    received.push({ method, url, headers, body });
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respondWith(next: RequestListener) {
      respond = next;
    },
    /** Closes every connection from now on, or accepts requests again. */
    setAway(away: boolean) {
      isAway = away;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
