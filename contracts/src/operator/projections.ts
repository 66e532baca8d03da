import { z } from 'zod';
import { operation } from '../operation.ts';
import type { ProjectingService } from '../topology.ts';

/** One command for all services: `service` is the service whose projections are rebuilt. */
export const resyncProjections = <const Service extends ProjectingService>(service: Service) =>
  operation({
    method: 'POST',
    url: '/operator/projection.resync',
    config: {
      tag: 'Projections',
      owner: service,
      audience: 'operator',
      operationId: 'projection.resync',
      permission: 'platform',
      summary: "Rebuild a service's projections of other services' records",
      description:
        'Responds when the projections are complete. 503 when a source is unavailable or the rebuild takes too long.',
    },
    schema: {
      body: z.object({
        service: z
          .literal(service)
          .meta({ description: 'The service whose projections are rebuilt' }),
      }),
      response: { 200: z.object({ service: z.literal(service) }) },
    },
  });
