import { z } from 'zod';
import { id, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';

/** How many minutes the usage of business units is kept. */
export const usageMinutes = 15;

const figures = {
  requests: z.number().int(),
  refused: z
    .number()
    .int()
    .meta({ description: 'The requests among them that got a 429, because of a limit.' }),
  busySeconds: z
    .number()
    .meta({ description: 'The time of these requests at the gateways, added up.' }),
};

export const UnitUsage = z.object({
  from: timestampOut().meta({ description: 'The start of the first minute.' }),
  until: timestampOut(),
  ...figures,
  units: z
    .array(
      z.object({
        businessUnitId: id('unit'),
        name: z.string().nullable(),
        share: z.number().meta({ description: 'Its part of all requests, 0 to 1.' }),
        ...figures,
        credentials: z
          .array(z.object({ id: id('key'), ...figures }))
          .meta({ description: 'The five keys and devices with the most requests.' }),
      }),
    )
    .meta({ description: 'The 20 business units with the most requests, the heaviest first.' }),
});

export const showUnitUsage = operation({
  method: 'POST',
  url: '/operator/unit.usage',
  config: {
    tag: 'Business units',
    owner: 'gateway',
    audience: 'operator',
    operationId: 'unit.usage',
    isRead: true,
    permission: 'platform',
    summary: 'Show which business units use the platform most',
    description:
      'Requests with a valid key through all gateways, in the last minutes and the present one. Each gateway reports every five ' +
      'seconds. Requests that wait on purpose count without their time. Nothing is counted while Redis does not respond.',
  },
  schema: {
    body: z.object({
      minutes: z
        .number()
        .int()
        .min(1)
        .max(usageMinutes)
        .default(5)
        .meta({ description: 'How many minutes, with the present one' }),
    }),
    response: { 200: UnitUsage },
  },
});
