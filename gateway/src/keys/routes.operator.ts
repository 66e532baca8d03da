import * as operations from '@event-api/contracts/operator/keys';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { createKey } from './create.ts';
import { listKeys } from './queries.ts';
import { revokeKey } from './revoke.ts';
import { keyView } from './view.ts';

export function keyOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.createKey,
    handler: async ({ body }, reply) => {
      const { key, secret } = await createKey(db, body);
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...keyView(key), secret });
    },
  });

  app.route({
    ...operations.listKeys,
    handler: async ({ body: { businessUnitId } }) => ({
      keys: (await listKeys(db, businessUnitId)).map(keyView),
    }),
  });

  app.route({
    ...operations.revokeKey,
    handler: async ({ body }) => keyView(await revokeKey(db, body.id)),
  });
}
