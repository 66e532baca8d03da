import { z } from 'zod';
import { Snapshot } from '../messages/snapshot.ts';
import type { Owner } from '../operation.ts';
import { operation } from '../operation.ts';

const after = z.string().max(1000).optional();

/** The records of a publisher as snapshots, by type and id: the source of a resync. */
export const listSnapshots = (owner: Owner) =>
  operation({
    method: 'GET',
    url: '/internal/snapshots/:type',
    config: {
      operationId: `${owner}.listSnapshots`,
      tag: 'Internal',
      summary: 'Page through every record of a type, ordered by its id',
      owner,
      audience: 'service',
    },
    schema: {
      params: z.object({ type: z.string() }),
      querystring: z.object({ after }),
      response: { 200: z.object({ snapshots: z.array(Snapshot), next: z.string().nullable() }) },
    },
  });

/**
 * The current state of one record. It is fetched before a rejection that depends on a projection.
 */
export const readSnapshot = (owner: Owner) =>
  operation({
    method: 'GET',
    url: '/internal/snapshots/:type/:businessUnitId/:id',
    config: {
      operationId: `${owner}.readSnapshot`,
      tag: 'Internal',
      summary: 'Read one record of a type',
      owner,
      audience: 'service',
    },
    schema: {
      params: z.object({ type: z.string(), businessUnitId: z.string(), id: z.string() }),
      response: { 200: Snapshot },
    },
  });
