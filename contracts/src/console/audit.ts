import { z } from 'zod';
import { ListQuery } from '../http/fields.ts';
import { AuditEntry, auditFilters } from '../operator/audit.ts';

/** The query of `GET /api/units/{unitId}/audit`. */
export const AuditLogQuery = ListQuery.extend(auditFilters);

/** A page of the audit log of a business unit: the entries of all processes, newest first. */
export const AuditLog = z.object({
  entries: z.array(
    AuditEntry.extend({
      /** The name of the operator; null for the command line. */
      actorName: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
  /** The processes that are down: their entries are missing. */
  incomplete: z.array(z.string()),
});
export type AuditLog = z.infer<typeof AuditLog>;
