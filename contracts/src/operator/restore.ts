import { z } from 'zod';
import { operation } from '../operation.ts';
import type { PublisherName } from '../topology.ts';

/** One command for all publishers: `service` is the service whose database was restored. */
export const completeRestore = <const Service extends PublisherName>(service: Service) =>
  operation({
    method: 'POST',
    url: '/operator/restore.completed',
    config: {
      tag: 'Projections',
      owner: service,
      audience: 'operator',
      operationId: 'restore.completed',
      summary: "Let all services rebuild their projections of a restored service's records",
      description:
        'For a restore that has lost records which were never published: nothing else shows it. 503 while the bus is unavailable.',
    },
    schema: {
      body: z.object({
        service: z
          .literal(service)
          .meta({ description: 'The service whose database was restored' }),
      }),
      response: { 200: z.object({ service: z.literal(service), lineage: z.string() }) },
    },
  });
