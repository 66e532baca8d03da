import { z } from 'zod';
import type { Owner } from '../operation.ts';
import { operation } from '../operation.ts';

/**
 * The lineage of a publisher's database, checked for this request, and the one before it. A service
 * with projections of its records compares it with the lineage that they come from before it
 * follows the stream.
 */
export const readLineage = (owner: Owner) =>
  operation({
    method: 'GET',
    url: '/internal/lineage',
    config: {
      operationId: `${owner}.readLineage`,
      tag: 'Internal',
      summary: 'Read the lineage of the database',
      owner,
      audience: 'service',
    },
    schema: {
      response: {
        200: z.object({
          lineage: z.string(),
          /** Null if it was never replaced; absent from a release that does not store it. */
          previousLineage: z.string().nullable().optional(),
        }),
      },
    },
  });
