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
const timeoutMs = 5000;

test('a call is a 404 if the other service does not have the record', async () => {
  const { service, snapshots } = await clientsOf({ hasRoutes: true });
  await expect(service.call(readBadge, badge)).rejects.toMatchObject({ code: 404 });
  expect(await snapshots.read('catalog.event', 'unit_1', 'evt_1', timeoutMs)).toBeNull();
});

test('a call is a 503 that names the service to release if it does not have the operation', async () => {
  const { service, snapshots } = await clientsOf({ hasRoutes: false });
  await expect(service.call(readBadge, badge)).rejects.toMatchObject({
    code: 503,
    cause: { message: 'registration does not have readBadge: release registration first' },
  });
  await expect(snapshots.read('catalog.event', 'unit_1', 'evt_1', timeoutMs)).rejects.toMatchObject(
    {
      code: 503,
    },
  );
});
