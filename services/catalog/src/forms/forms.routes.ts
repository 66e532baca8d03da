import { getForm } from '@event-api/contracts/http/forms';
import type { Database } from '@event-api/platform/db/database';
import { scopeOf } from '@event-api/platform/http/record-scope';
import type { HttpServer } from '@event-api/platform/http/server';
import { readQuestions } from './forms.queries.ts';
import { formView } from './forms.view.ts';

export function formRoutes(app: HttpServer, db: Database): void {
  app.route({
    ...getForm,
    handler: async (request) => {
      const scope = scopeOf(request);
      return formView(scope.eventId, await readQuestions(db, scope));
    },
  });
}
