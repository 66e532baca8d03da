import { cellPath } from '@event-api/contracts/cells';
import { writeShortCode } from '@event-api/contracts/http/devices';
import * as operations from '@event-api/contracts/operator/devices';
import type { HttpServer } from '@event-api/platform/http/server';
import { readUnit } from '../business-units/business-units.queries.ts';
import { createPairingCode, type DeviceDeps, revokeDevice } from './devices.commands.ts';
import { listDevices } from './devices.queries.ts';
import { deviceView } from './devices.view.ts';

export function deviceOperatorRoutes(
  app: HttpServer,
  deps: DeviceDeps & { publicUrl: string },
): void {
  const { db, clock, cell, publicUrl } = deps;

  app.route({
    ...operations.pairDevice,
    handler: async ({ body }, reply) => {
      const { device, codes } = await createPairingCode(deps, body);
      const code = codes?.code ?? null;
      // The browser sends no fragment to a server, so the code is in no log.
      const url = code && new URL(`${cellPath(cell)}/scanner/#${code}`, publicUrl).href;
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({
          ...{ ...deviceView(device, clock.now()), code, url },
          shortCode: codes && writeShortCode({ cell, code: codes.shortCode }),
        });
    },
  });

  app.route({
    ...operations.listDevices,
    handler: async ({ body: { businessUnitId, eventId = null } }) => {
      await readUnit(db, businessUnitId);
      const devices = await listDevices(db, businessUnitId, eventId);
      return { devices: devices.map((device) => deviceView(device, clock.now())) };
    },
  });

  app.route({
    ...operations.revokeDevice,
    handler: async ({ body }) => deviceView(await revokeDevice(db, body), clock.now()),
  });
}
