import { openApiDocument } from '@event-api/contracts/openapi';
import type { Operation } from '@event-api/contracts/operation';
import type { FastifyInstance } from 'fastify';

/** `GET /openapi.json`: the document of the operations that this gateway serves. */
export function openApiRoute(app: FastifyInstance, operations: readonly Operation[]): void {
  const document = JSON.stringify(openApiDocument(operations));
  app.get('/openapi.json', async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .send(document),
  );
}
