import { z } from 'zod';
import { limits, text, timestamp } from '../http/fields.ts';
import { EventRefundPolicy } from '../http/refund-policies.ts';
import { operation } from '../operation.ts';
import { eventScope, reference } from './reference.ts';

const config = { tag: 'Refund policies', owner: 'catalog', audience: 'operator' } as const;

const Band = z
  .object({
    daysBeforeStart: z.int().min(0).max(3650).nullable().default(null).meta({
      description:
        'Until this many days before the start, at its time of day in the time zone of the event',
      example: 14,
    }),
    until: timestamp().nullable().default(null).meta({ description: 'Or until this instant' }),
    percent: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'The part of the price to pay back', example: 80 }),
    fixedFee: z.int().min(0).max(limits.amount).default(0).meta({
      description: "Kept of each seat, in the currency's minor unit",
      example: 500,
    }),
    ticketTypeIds: z
      .array(reference('tt', 'A ticket type'))
      .max(100)
      .default([])
      .meta({ description: 'Only for these ticket types; empty for all' }),
  })
  .check((ctx) => {
    const { daysBeforeStart, until } = ctx.value;
    if ((daysBeforeStart === null) !== (until === null)) return;
    const message = 'must be set, or until, and not both';
    ctx.issues.push({ code: 'custom', message, path: ['daysBeforeStart'], input: daysBeforeStart });
  });

type Band = z.output<typeof Band>;

/** Whether the earlier band applies whenever the later one would, so that this one never does. */
function covers(earlier: Band, later: Band): boolean {
  const types = earlier.ticketTypeIds;
  const isForAll =
    types.length === 0 ||
    (later.ticketTypeIds.length > 0 && later.ticketTypeIds.every((id) => types.includes(id)));
  if (!isForAll) return false;
  if (earlier.until && later.until) return earlier.until >= later.until;
  if (earlier.daysBeforeStart === null || later.daysBeforeStart === null) return false;
  return earlier.daysBeforeStart <= later.daysBeforeStart;
}

const bands = z
  .array(Band)
  .max(20)
  .check((ctx) => {
    for (const [n, band] of ctx.value.entries()) {
      const first = ctx.value.findIndex((earlier, index) => index < n && covers(earlier, band));
      if (first < 0) continue;
      const message = `never applies: bands[${first}] ends no earlier and is for the same tickets`;
      const field = band.until ? 'until' : 'daysBeforeStart';
      ctx.issues.push({ code: 'custom', message, path: [n, field], input: band[field] });
    }
  });

export const setRefundPolicy = operation({
  method: 'POST',
  url: '/operator/refundPolicy.set',
  config: {
    ...config,
    operationId: 'refundPolicy.set',
    permission: 'policy',
    summary: 'Replace the refund policy of an event',
    description:
      'Bands say what is paid back for a cancelled seat. Orders that exist keep the policy they were placed with.',
  },
  schema: {
    body: z
      .object({
        ...eventScope,
        text: text({ min: 1, max: limits.textLength }).meta({
          description: 'The text of the policy, for buyers',
          example: 'Full refund until a week before the event',
        }),
        refundableUntil: timestamp().nullable().default(null).meta({
          description: 'When the policy ends; null means never',
        }),
        bands: bands.default([]).meta({
          description:
            'What is paid back for a cancelled seat: the first band that applies, nothing after the last. Empty: operators decide',
        }),
        automatic: z.boolean().default(false).meta({
          description: 'Pay back at once; otherwise an operator pays back what is due',
        }),
      })
      .meta({
        example: {
          bands: [
            { daysBeforeStart: 14, percent: 80, fixedFee: 500 },
            { daysBeforeStart: 3, percent: 50 },
          ],
          automatic: true,
        },
      }),
    response: { 200: EventRefundPolicy },
  },
});

export const getRefundPolicy = operation({
  method: 'POST',
  url: '/operator/refundPolicy.get',
  config: {
    ...config,
    operationId: 'refundPolicy.get',
    isRead: true,
    permission: 'settings.read',
    summary: 'Read the refund policy of an event; null when it has none',
  },
  schema: { body: z.object(eventScope), response: { 200: EventRefundPolicy } },
});
