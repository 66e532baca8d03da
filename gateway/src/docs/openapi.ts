import { openApiDocument } from '@event-api/contracts/openapi/document';
import type { Operation } from '@event-api/contracts/operation';
import type { FastifyInstance } from 'fastify';
import { createStaticAsset, sendAsset } from '../responses/static-asset.ts';

/** `GET /openapi.json`: the document of the operations of this gateway. */
export async function openApiRoute(
  app: FastifyInstance,
  operations: readonly Operation[],
): Promise<void> {
  const document = JSON.stringify(openApiDocument(operations));
  const asset = await createStaticAsset('application/json; charset=utf-8', document);
  app.get('/openapi.json', (request, reply) =>
    sendAsset(request, reply.header('access-control-allow-origin', '*'), asset),
  );
}
