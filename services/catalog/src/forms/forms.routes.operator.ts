import * as operations from '@event-api/contracts/operator/forms';
import type { Database } from '@event-api/platform/db/database';
import type { HttpServer } from '@event-api/platform/http/server';
import { setForm } from './forms.commands.ts';
import { readQuestions } from './forms.queries.ts';

export function formOperatorRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...operations.setForm,
    handler: async ({ body }) => ({
      eventId: body.eventId,
      questions: await setForm(db, body),
    }),
  });

  app.route({
    ...operations.getForm,
    handler: async ({ body }) => ({
      eventId: body.eventId,
      questions: await readQuestions(db, body),
    }),
  });
}
