import { z } from 'zod';
import { id } from '../http/fields.ts';
import { operation } from '../operation.ts';
import { checkPeriod, periodFields } from './days.ts';
import { eventScope } from './reference.ts';

const sums = {
  currency: z.string(),
  seats: z.int().meta({
    description:
      'Seats of the orders that were paid in the period, free ones included. Those of an order that was cancelled or fully ' +
      'refunded afterwards do not count, nor does one whose registration was cancelled or rejected.',
    example: 2,
  }),
  grossAmount: z.int().meta({
    description: 'What these orders were paid, in the minor unit, on the day of the payment.',
    example: 5000,
  }),
  refundedAmount: z.int().meta({
    description:
      'Refunds that were completed in the period, on the day of their completion. Each is divided among the ticket types of its order in proportion to their amounts.',
    example: 1500,
  }),
  lostAmount: z.int().meta({
    description:
      'What lost disputes have taken of the payments of paid orders, on the day on which the buyer has disputed, divided like refunds.',
    example: 0,
  }),
  disputedAmount: z.int().meta({
    description:
      'What disputes that are not decided have taken, counted in the same way. It is part of the net amount until the dispute is lost.',
    example: 0,
  }),
  netAmount: z.int().meta({ description: 'Gross less refunded and lost.', example: 3500 }),
};

export const SalesRow = z.object({
  day: z.string().optional().meta({ description: 'Only with `by: "day"`.', example: '2027-05-10' }),
  ticketTypeId: id('tt').nullable().optional().meta({
    description:
      'Only with `by: "ticketType"`. Null is the row of add-ons and of the rest of bundle prices.',
  }),
  name: z.string().nullable().optional().meta({
    description: 'Only with `by: "ticketType"`: the present name of the ticket type.',
    example: 'Seat',
  }),
  ...sums,
});

export type SalesRow = z.infer<typeof SalesRow>;

export const SalesTotal = z.object(sums);
export type SalesTotal = z.infer<typeof SalesTotal>;

export const summarizeSales = operation({
  method: 'POST',
  url: '/operator/sales.summary',
  config: {
    tag: 'Orders',
    owner: 'commerce',
    audience: 'operator',
    operationId: 'sales.summary',
    isRead: true,
    permission: 'orders.list',
    summary: 'Sum seats and money of an event or of a business unit, by day or by ticket type',
    description:
      'Days begin at midnight in the time zone of the event; without `eventId`, at midnight UTC. Money that paid for no order, such as a late payment, counts neither as gross nor as refunded. Days and ticket types without sales or refunds have no row. An unknown business unit yields no rows; an unknown event is a 404.',
  },
  schema: {
    body: z
      .object({
        businessUnitId: eventScope.businessUnitId,
        eventId: eventScope.eventId.optional().meta({ description: 'Only this event of the unit' }),
        ...periodFields,
        by: z
          .enum(['day', 'ticketType'])
          .meta({ description: 'What each row sums', example: 'day' }),
      })
      .check(checkPeriod),
    response: {
      200: z.object({
        timezone: z.string().meta({
          description: 'The time zone of the days.',
          example: 'Europe/Berlin',
        }),
        rows: z.array(SalesRow),
        totals: z.array(SalesTotal).meta({ description: 'The sums of the rows, per currency.' }),
        eventTotals: z
          .array(SalesTotal)
          .optional()
          .meta({
            description:
              'Only with `eventId`: the sums of all sales of the event, whatever the period, per currency. Concurrent requests ' +
              'share them: they are read after the last request has arrived, at most two seconds after the first.',
          }),
      }),
    },
  },
});
