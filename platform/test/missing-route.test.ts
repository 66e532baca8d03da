import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBadge } from '@event-api/contracts/internal/badges';
import { afterEach, expect, test } from 'vitest';
import { notFound } from '../src/core/errors.ts';
import { createLogger } from '../src/core/log.ts';
import { createHttpServer, type HttpServer } from '../src/http/server.ts';
import { createServiceClient } from '../src/http/service-client.ts';
import { createSnapshotClient } from '../src/http/snapshot-client.ts';
import { createTestCallers } from '../testing/callers.ts';

let app: HttpServer;
afterEach(() => app?.close());

/** Clients of a server that may have the operations, and does not have the record. */
async function clientsOf({ hasRoutes }: { hasRoutes: boolean }) {
  const log = createLogger({ service: 'test', level: 'silent' });
  app = createHttpServer({ log, checkResponses: true, trustRequestId: true });
  if (hasRoutes) {
    const handler = async () => {
      throw notFound();
    };
    app.route({ ...readBadge, handler });
    app.get('/internal/snapshots/:type/:businessUnitId/:id', handler);
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const signer = await (await createTestCallers(['onsite'])).signer('onsite');
  return {
    service: createServiceClient({ url, signer }),
    snapshots: createSnapshotClient({ url, signer }),
  };
}

const badge = { businessUnitId: 'unit_1', eventId: 'evt_1', registrationId: 'reg_1' };

test('a call is a 404 if the other service does not have the record', async () => {
  const { service, snapshots } = await clientsOf({ hasRoutes: true });
  await expect(service.call(readBadge, badge)).rejects.toMatchObject({ code: 404 });
  expect(await snapshots.read('catalog.event', 'unit_1', 'evt_1')).toBeNull();
});

test('a call is a 503 that names the service to release if it does not have the operation', async () => {
  const { service, snapshots } = await clientsOf({ hasRoutes: false });
  await expect(service.call(readBadge, badge)).rejects.toMatchObject({
    code: 503,
    cause: { message: 'registration does not have readBadge: release registration first' },
  });
  await expect(snapshots.read('catalog.event', 'unit_1', 'evt_1')).rejects.toMatchObject({
    code: 503,
  });
});

test('a call is a 503 if a 404 is not from the service, which responds with JSON', async () => {
  const proxy = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const signer = await (await createTestCallers(['onsite'])).signer('onsite');
  const { port } = proxy.address() as AddressInfo;
  const service = createServiceClient({ url: `http://127.0.0.1:${port}`, signer });
  await expect(service.call(readBadge, badge)).rejects.toMatchObject({ code: 503 });
  proxy.closeAllConnections();
  proxy.close();
});
