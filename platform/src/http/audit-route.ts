import { listAudit } from '@event-api/contracts/operator/audit';
import type { ProcessName } from '@event-api/contracts/topology';
import { type AuditRow, auditQueries } from '../audit/audit.queries.ts';
import type { Database } from '../db/database.ts';
import { decodeCursor, paginate } from './cursor-page.ts';
import { listName } from './list-page.ts';
import type { HttpServer } from './server.ts';

/** The route that lists the audit log of a process. */
export function auditRoute(
  app: HttpServer,
  { owner, db }: { owner: ProcessName; db: Database },
): void {
  const read = auditQueries(owner);
  app.route({
    ...listAudit(owner),
    handler: async ({ body }) => {
      const { limit, cursor, service: _service, ...filter } = body;
      const list = listName(`audit ${owner}`, body);
      const after = decodeCursor(list, cursor, ['instant', 'string'] as const);
      const rows = await read(db, filter, after, limit);
      const key = ({ at, id }: AuditRow) => [at.toISOString(), id];
      const { items, nextCursor } = paginate(rows, limit, entryView, key, list);
      return { entries: items, nextCursor };
    },
  });
}

const entryView = ({ at, actorType, actorId, ...row }: AuditRow) => ({
  ...row,
  at: at.toISOString(),
  actor: { type: actorType, id: actorId },
});
