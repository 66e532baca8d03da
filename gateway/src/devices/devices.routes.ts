import * as operations from '@event-api/contracts/http/devices';
import { permissionDenied, unauthenticated } from '@event-api/platform/core/errors';
import { registerJsonParser } from '@event-api/platform/http/json-parser';
import type { HttpServer } from '@event-api/platform/http/server';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyRecord } from '../api-keys/api-keys.rules.ts';
import { type DeviceDeps, pairDevice } from './devices.commands.ts';
import { findCredential } from './devices.queries.ts';
import { ownView } from './devices.view.ts';

/**
 * The operations of the API that the gateway carries out itself. Only devices and pairing codes may
 * call them.
 */
export function deviceRoutes(app: HttpServer, deps: DeviceDeps): void {
  const { db, events } = deps;
  // The gateway forwards the bodies of other operations as they are.
  registerJsonParser(app);

  app.route({
    ...operations.pairDevice,
    url: operations.pairDevice.url.slice(app.prefix.length),
    onRequest: requireKind('pairing'),
    handler: async ({ apiKey, body }) => {
      // What can fail comes before the code is used up.
      const { event, doors } = await readShown(apiKey);
      const { credentialId, token } = await pairDevice(deps, apiKey, body.installationId);
      return { token, device: ownView(await readCredential(apiKey, credentialId), event, doors) };
    },
  });

  app.route({
    ...operations.getDevice,
    url: operations.getDevice.url.slice(app.prefix.length),
    onRequest: requireKind('device'),
    handler: async ({ apiKey }) => {
      const { event, doors } = await readShown(apiKey);
      return ownView(await readCredential(apiKey, apiKey.id), event, doors);
    },
  });

  async function readShown({ businessUnitId, deviceId, access }: ApiKeyRecord) {
    const scope = { businessUnitId, eventId: access?.events?.[0] ?? '' };
    const actor = { type: 'device', id: deviceId } as const;
    const [event, doors] = await Promise.all([
      events.readEvent(scope, actor),
      events.readDoors(scope, actor),
    ]);
    return { event, doors };
  }

  // The credential can be in memory although its row was deleted.
  async function readCredential({ businessUnitId }: ApiKeyRecord, id: string) {
    const found = await findCredential(db, businessUnitId, id);
    if (!found) throw unauthenticated();
    return found;
  }
}

/** An unrestricted key has every permission, but it is no device. Errors: 403. */
const requireKind =
  (kind: 'pairing' | 'device') =>
  async ({ apiKey }: FastifyRequest): Promise<void> => {
    if (apiKey.kind !== kind) throw permissionDenied();
  };
