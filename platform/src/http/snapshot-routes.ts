import { listSnapshots, readSnapshot } from '@event-api/contracts/internal/snapshots';
import type { Owner } from '@event-api/contracts/operation';
import { notFound } from '../core/errors.ts';
import type { Db } from '../db/database.ts';
import type { SnapshotSource } from '../messaging/projections/snapshot-source.ts';
import type { HttpServer } from './server.ts';

const pageRows = 500;

/**
 * The routes with which other services read the records of their owner, page by page or one at a
 * time.
 */
export function snapshotRoutes(
  app: HttpServer,
  options: { owner: Owner; db: Db; sources: readonly SnapshotSource[] },
): void {
  const { owner, db, sources } = options;
  const sourceOf = (type: string): SnapshotSource => {
    const source = sources.find((candidate) => candidate.type === type);
    if (!source) throw notFound();
    return source;
  };

  const list = listSnapshots(owner);
  app.route({
    ...list,
    config: { ...list.config, skipReadAfter: true },
    handler: async ({ params, query }) => {
      const snapshots = await sourceOf(params.type).page(db, query.after ?? '', pageRows);
      const isLast = snapshots.length < pageRows;
      return { snapshots, next: isLast ? null : (snapshots.at(-1)?.aggregateId ?? null) };
    },
  });

  const readOne = readSnapshot(owner);
  app.route({
    ...readOne,
    config: { ...readOne.config, skipReadAfter: true },
    handler: async ({ params: { type, businessUnitId, id } }) => {
      const snapshot = await sourceOf(type).read(db, businessUnitId, id);
      if (!snapshot) throw notFound();
      return snapshot;
    },
  });
}
