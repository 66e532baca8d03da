import { operatorOperations } from '@event-api/contracts/operator/operations';
import type { HttpServer } from '@event-api/platform/http/server';
import { describeCommands } from './describe.ts';

/** The descriptions of all operator commands. */
export function commandRoutes(app: HttpServer): void {
  const text = JSON.stringify({ commands: describeCommands(operatorOperations) });
  app.get('/commands', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').serializer(String).send(text),
  );
}
