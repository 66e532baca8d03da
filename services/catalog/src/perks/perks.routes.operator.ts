import * as operations from '@event-api/contracts/operator/perks';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { readEvent } from '../events/events.queries.ts';
import { bindPerk, createPerk, unbindPerk } from './perks.commands.ts';
import { listPerks } from './perks.queries.ts';
import { perkView } from './perks.view.ts';

export function perkOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.createPerk,
    handler: async ({ body }, reply) => reply.code(201).send(perkView(await createPerk(db, body))),
  });

  app.route({
    ...operations.listPerks,
    handler: async ({ body }) => {
      await readEvent(db, body);
      const perks = await listPerks(db, body);
      return { perks: perks.map(perkView) };
    },
  });

  app.route({
    ...operations.bindPerk,
    handler: async ({ body }) => perkView(await bindPerk(db, body)),
  });

  app.route({
    ...operations.unbindPerk,
    handler: async ({ body }) => perkView(await unbindPerk(db, body)),
  });
}
