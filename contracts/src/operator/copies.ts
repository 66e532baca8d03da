import { z } from 'zod';
import { type Owner, operation } from '../operation.ts';

/** The services that keep copies of others' records. */
export const copyKeepers = ['catalog', 'registration', 'commerce', 'onsite'] as const;
export type CopyKeeper = (typeof copyKeepers)[number] & Owner;

/** One command for all of them: `service` says whose copies are meant. */
export const resyncCopies = <const Service extends CopyKeeper>(service: Service) =>
  operation({
    method: 'POST',
    url: '/operator/copies.resync',
    config: {
      tag: 'Copies',
      owner: service,
      audience: 'operator',
      operationId: 'copies.resync',
      summary: `Make the copies that ${service} keeps anew from their owners`,
      description: 'Answers when that is done; 503 when it cannot be done now, or takes too long.',
    },
    schema: {
      body: z.object({ service: z.literal(service) }),
      response: { 200: z.object({ service: z.literal(service) }) },
    },
  });
