import { z } from 'zod';
import { text } from '../http/fields.ts';
import { orderStatuses } from '../http/orders.ts';
import { operation } from '../operation.ts';
import type { PublisherName } from '../topology.ts';
import { eventScope } from './reference.ts';

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
      permission: 'platform',
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

/** How an order and its registrations contradict each other. */
export const restoreDifferences = [
  'paid_without_seats',
  'seats_without_order',
  'seats_of_refunded_order',
  'seats_of_closed_order',
  'assignments_lost',
  'units_of_changed_order',
  'types_of_changed_order',
] as const;
export type RestoreDifference = (typeof restoreDifferences)[number];

/** How `restore.compare` repairs a difference. */
export const restoreRepairs = [
  'fulfil',
  'revoke',
  'revoke_seats',
  'reopen',
  'return_units',
  'change_types',
] as const;
export type RestoreRepair = (typeof restoreRepairs)[number];

export const compareRestored = operation({
  method: 'POST',
  url: '/operator/restore.compare',
  config: {
    tag: 'Orders',
    owner: 'commerce',
    audience: 'operator',
    operationId: 'restore.compare',
    permission: 'platform',
    summary: 'List the orders and registrations that contradict each other after a restore',
    description:
      'Compares every order with its registrations, of a business unit or of all units. It changes nothing without `repair`. With `nextCursor`, run it again with this `cursor`. 503 while registration is unavailable.',
  },
  schema: {
    body: z.object({
      businessUnitId: eventScope.businessUnitId.optional().meta({
        description: 'Only this business unit; all units if left out',
      }),
      repair: z.boolean().default(false).meta({
        description:
          'Also repair: orders without seats get their seats again or are refunded, and what was cancelled is cancelled again. What `repair` of a difference says happens within seconds, and at once with commerce.reconcile.',
      }),
      cursor: text({ min: 1, max: 200 })
        .optional()
        .meta({ description: 'The `nextCursor` of the previous call' }),
    }),
    response: {
      200: z.object({
        compared: z.int().meta({ description: 'Number of orders and reservations compared.' }),
        differences: z.array(
          z.object({
            difference: z.enum(restoreDifferences).meta({
              description:
                '`paid_without_seats`: registration has lost the seats of a paid order. `seats_without_order`: commerce has lost the order of these registrations. `seats_of_refunded_order`: registration has lost the cancellation of a refund, of a change or of a free order. `seats_of_closed_order`: commerce has lost a payment. `assignments_lost`: registration has lost who has these seats. `units_of_changed_order`: registration has lost that a change has returned units of add-ons. `types_of_changed_order`: registration has lost that a change has given these seats another ticket type.',
            }),
            businessUnitId: z.string(),
            eventId: z.string(),
            orderId: z.string(),
            /** Null for a lost order. */
            status: z.enum(orderStatuses).nullable(),
            /** The registrations or open seats: the lost ones, or those that are active. */
            registrationIds: z.array(z.string()),
            repair: z.enum(restoreRepairs).nullable().meta({
              description:
                'What `repair` does. Null where a person decides, as the runbook describes.',
            }),
          }),
        ),
        nextCursor: z.string().nullable(),
      }),
    },
  },
});
