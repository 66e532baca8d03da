import { z } from 'zod';
import { operation } from '../operation.ts';
import { EventPath } from './events.ts';
import { id, timestampOut } from './fields.ts';

/** A part of a refund policy: what is paid back for a seat that is cancelled before its end. */
export const RefundBand = z
  .object({
    daysBeforeStart: z
      .int()
      .nullable()
      .meta({
        description:
          'Applies until this many days before the start of the event, at the time of day of the start, in the time zone ' +
          'of the event. Null if `until` is set.',
        example: 14,
      }),
    until: timestampOut().nullable().meta({
      description: 'Applies until this instant. Null if `daysBeforeStart` is set.',
      example: null,
    }),
    percent: z.int().meta({ description: 'The part of the price that is paid back', example: 80 }),
    fixedFee: z.int().meta({
      description:
        "Kept of each seat, in the currency's minor unit; at most what is paid back of the seat",
      example: 500,
    }),
    ticketTypeIds: z.array(z.string()).meta({
      description: 'The ticket types whose seats it is for. Empty for all seats.',
      example: [],
    }),
  })
  .meta({ id: 'RefundBand' });

export type RefundBand = z.infer<typeof RefundBand>;

/** The refund promise of an event to its buyers. */
export const RefundPolicy = z.object({
  text: z.string().meta({ example: 'Full refund until a week before the event' }),
  refundableUntil: timestampOut('2027-05-03T07:00:00.000Z').nullable().meta({
    description:
      'Until when it applies; no band applies afterwards. Null means without a time limit.',
  }),
  bands: z.array(RefundBand).meta({
    description:
      'What the platform pays back for a cancelled seat: the first band that applies to its ticket type and has not ' +
      'ended decides, and without one nothing is paid back. Empty if operators decide about each refund.',
  }),
  automatic: z.boolean().meta({
    description:
      'Whether what the bands promise is paid back at once. Otherwise it is due, and an operator pays it back.',
    example: false,
  }),
});

export type RefundPolicy = z.infer<typeof RefundPolicy>;

export const EventRefundPolicy = z
  .object({
    eventId: id('evt'),
    policy: RefundPolicy.nullable().meta({ description: 'Null if the event has none.' }),
  })
  .meta({ id: 'EventRefundPolicy' });

export const getRefundPolicy = operation({
  method: 'GET',
  url: '/v1/events/:eventId/refund-policy',
  config: {
    tag: 'Forms and refund policies',
    owner: 'catalog',
    audience: 'api',
    operationId: 'getRefundPolicy',
    permission: 'catalog.read',
    summary: 'Read the refund policy of an event',
    description:
      'What operators have set for buyers: a text, and bands by which the platform refunds cancelled seats. An order ' +
      'keeps the policy with which it was placed.',
  },
  schema: { params: EventPath, response: { 200: EventRefundPolicy } },
});
