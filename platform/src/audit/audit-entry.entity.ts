import { actorTypes } from '@event-api/contracts/actor';
import { auditResults } from '@event-api/contracts/operator/audit';
import { defineEntity, p } from '@mikro-orm/core';

/**
 * What an operator or the command line has done or tried. The role of the service may only add and
 * read rows.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.text().primary(),
    at: p.datetime(3).defaultRaw('clock_timestamp()'),
    /** Null for a command that concerns no business unit. */
    businessUnitId: p.text().nullable(),
    eventId: p.text().nullable(),
    actorType: p.enum(actorTypes),
    actorId: p.text().nullable(),
    /** The `operationId`. */
    operation: p.text(),
    /** The ids of the records that the request names or has changed. */
    records: p.array().columnType('text[]'),
    /** The names of the fields that the request sets. */
    fields: p.array().columnType('text[]'),
    result: p.enum(auditResults),
    /** The note of the operator, or why the request was refused. */
    reason: p.text().nullable(),
    requestId: p.text(),
  },
  indexes: [
    {
      // Of all units. By another expression than the index of one unit, whose lists it must not
      // serve.
      name: 'audit_entry_newest',
      expression: ({ at, id }, table, name) =>
        `create index ${name} on ${table} (timezone('UTC', ${at}), ${id})`,
    },
    { name: 'audit_entry_of_unit', properties: ['businessUnitId', 'at', 'id'] },
    { name: 'audit_entry_of_event', properties: ['businessUnitId', 'eventId', 'at', 'id'] },
    { name: 'audit_entry_of_actor', properties: ['businessUnitId', 'actorId', 'at', 'id'] },
    { name: 'audit_entry_of_operation', properties: ['businessUnitId', 'operation', 'at', 'id'] },
    { name: 'audit_entry_of_record', properties: ['records'], type: 'gin' },
  ],
});
