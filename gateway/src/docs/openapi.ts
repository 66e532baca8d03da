import { cellPath } from '@event-api/contracts/cells';
import { openApiDocument, type Place } from '@event-api/contracts/openapi/document';
import type { Operation } from '@event-api/contracts/operation';
import type { FastifyInstance } from 'fastify';
import { createStaticAsset, sendAsset } from '../responses/static-asset.ts';
import { withBasePath } from './base-path.ts';

/** `GET /openapi.json`: the document of the operations of this gateway. */
export async function openApiRoute(
  app: FastifyInstance,
  operations: readonly Operation[],
  place: Place,
): Promise<void> {
  const document = withBasePath(
    JSON.stringify(openApiDocument(operations, place)),
    cellPath(place.cell),
  );
  const asset = await createStaticAsset('application/json; charset=utf-8', document);
  app.get('/openapi.json', (request, reply) =>
    sendAsset(request, reply.header('access-control-allow-origin', '*'), asset),
  );
}
