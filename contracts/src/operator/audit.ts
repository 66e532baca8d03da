import { z } from 'zod';
import { actorTypes } from '../actor.ts';
import { id, listOf, requireField, text, timestamp, timestampOut } from '../http/fields.ts';
import { operation } from '../operation.ts';
import type { ProcessName } from '../topology.ts';
import { pageFields } from './page.ts';
import { anyReference, eventScope, reference } from './reference.ts';

/** What became of an audited request. */
export const auditResults = ['done', 'unchanged', 'refused', 'started'] as const;
export type AuditResult = (typeof auditResults)[number];

export const AuditEntry = z.object({
  id: id('aud'),
  at: timestampOut(),
  businessUnitId: z.string().nullable(),
  eventId: z.string().nullable(),
  actor: z.object({ type: z.enum(actorTypes), id: z.string().nullable() }).meta({
    description:
      'An operator of the console, the command line with the user who ran it, or the job that sends refunds.',
  }),
  operation: z.string().meta({ example: 'order.refund' }),
  records: z
    .array(z.string())
    .meta({ description: 'The ids that the request names or has changed.' }),
  fields: z.array(z.string()).meta({ description: 'The fields that it sets, without values.' }),
  result: z.enum(auditResults).meta({
    description:
      '`done`: committed with the entry; `unchanged`: everything was already so; `refused`: an error below 500; ' +
      '`started`: a command of several transactions, whose end is `done`.',
  }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'The note of the operator, or why the request was refused.' }),
  requestId: z.string(),
});

/** What a list of the log can be limited to. */
export const auditFilters = {
  eventId: eventScope.eventId.optional().meta({ description: 'Only this event' }),
  actorId: reference('opr', 'An operator')
    .optional()
    .meta({ description: 'Only entries of this operator' }),
  record: anyReference('A record')
    .optional()
    .meta({ description: 'Only entries that name this record' }),
  operation: text({ min: 1, max: 100 })
    .optional()
    .meta({ description: 'Only entries of this operation or command', example: 'order.refund' }),
  from: timestamp().optional().meta({ description: 'Only entries since this instant' }),
  to: timestamp().optional().meta({ description: 'Only entries before this instant' }),
};

/** One command for all processes with a schema: `service` is the one whose log is read. */
export const listAudit = <const Service extends ProcessName>(service: Service) =>
  operation({
    method: 'POST',
    url: '/operator/audit.list',
    config: {
      tag: 'Audit',
      owner: service,
      audience: 'operator',
      operationId: 'audit.list',
      permission: 'audit',
      isRead: true,
      summary: 'List what operators have done or tried, newest first',
      description:
        'Every change by an operator or the command line, and refunds that the platform sends by itself. Other changes by the platform, and those by API keys, are in the change feed only.',
    },
    schema: {
      body: z
        .object({
          service: z.literal(service).meta({ description: 'The process whose log is read' }),
          businessUnitId: eventScope.businessUnitId
            .optional()
            .meta({ description: 'Only this business unit; all entries if left out' }),
          ...auditFilters,
          ...pageFields,
        })
        .check((ctx) => {
          if (ctx.value.eventId === undefined || ctx.value.businessUnitId !== undefined) return;
          requireField(ctx, 'businessUnitId', 'is required with eventId');
        }),
      response: { 200: listOf('entries', AuditEntry) },
    },
  });
