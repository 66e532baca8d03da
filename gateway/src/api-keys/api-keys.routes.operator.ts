import * as operations from '@event-api/contracts/operator/keys';
import type { HttpServer } from '@event-api/platform/http/server';
import { readUnit } from '../business-units/business-units.queries.ts';
import { createKey, type KeyDeps, revokeKey, updateKey } from './api-keys.commands.ts';
import { listKeys } from './api-keys.queries.ts';
import { keyView } from './api-keys.view.ts';

export function keyOperatorRoutes(app: HttpServer, deps: KeyDeps): void {
  const { db } = deps;

  app.route({
    ...operations.createKey,
    handler: async ({ body }, reply) => {
      const { key, secret } = await createKey(deps, body);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...keyView(key), secret });
    },
  });

  app.route({
    ...operations.listKeys,
    handler: async ({ body: { businessUnitId } }) => {
      await readUnit(db, businessUnitId);
      return { keys: (await listKeys(db, businessUnitId)).map(keyView) };
    },
  });

  app.route({
    ...operations.updateKey,
    handler: async ({ body }) => keyView(await updateKey(deps, body)),
  });

  app.route({
    ...operations.revokeKey,
    handler: async ({ body }) => keyView(await revokeKey(db, body)),
  });
}
