import {
  type ProjectingService,
  type PublisherName,
  processNamed,
  type ServiceName,
} from '@event-api/contracts/topology';
import type { Logger } from '../core/log.ts';
import type { Database } from '../db/database.ts';
import { auditHooks } from '../http/audit-hooks.ts';
import { auditRoute } from '../http/audit-route.ts';
import type { CallerVerifier } from '../http/caller-tokens.ts';
import { changeRoute } from '../http/change-route.ts';
import { deleteExpiredKeys } from '../http/idempotency/cleanup.ts';
import { registerIdempotency } from '../http/idempotency/hooks.ts';
import { lineageRoute } from '../http/lineage-route.ts';
import { readAfterHooks } from '../http/read-after-hooks.ts';
import { rejectMalformedIds } from '../http/record-scope.ts';
import { requireCaller } from '../http/require-caller.ts';
import { restoreRoute } from '../http/restore-route.ts';
import { resyncRoute } from '../http/resync-route.ts';
import { createHttpServer, type HttpServer } from '../http/server.ts';
import { snapshotRoutes } from '../http/snapshot-routes.ts';
import { createChangeLog } from '../messaging/changes/change-log.ts';
import type { Outbox } from '../messaging/outbox/outbox.ts';
import type { Checkpoint } from '../messaging/projections/checkpoint.ts';
import type { SnapshotSource } from '../messaging/projections/snapshot-source.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** The routes of a service. */
export interface ServiceRoutes<Deps> {
  /**
   * Also the name of its schema, its database role, its caller tokens' issuer and its stream
   * origin.
   */
  name: ServiceName;
  /** The records that it publishes. Without any it has no outbox and no snapshot routes. */
  sources?: readonly SnapshotSource[];
  routes: (api: HttpServer, deps: Deps) => void;
  internalRoutes: (internal: HttpServer, deps: Deps) => void;
}

/** What the listeners of a service need besides its routes. Test harnesses provide their own. */
export interface ListenerOptions {
  db: Database;
  log: Logger;
  telemetry: Telemetry;
  callers: CallerVerifier;
  /** Null for a service without projections. */
  checkpoint: Checkpoint | null;
  /** Rebuilds all projections. */
  resyncProjections: (() => Promise<void>) | null;
  /** The outbox of a service that publishes. */
  outbox?: Pick<Outbox, 'lineages' | 'renewLineage'>;
  /** Whether responses are validated against the contract. */
  checkResponses: boolean;
}

/**
 * Builds both listeners of a service: the API, and the internal one for operators and other
 * services. Hooks run in the order of registration: the caller first, then read-after, so that a
 * replayed response also waits for its token.
 */
export function buildListeners<Deps>(
  { name, sources, routes, internalRoutes }: ServiceRoutes<Deps>,
  deps: Deps,
  options: ListenerOptions,
): { api: HttpServer; internal: HttpServer } {
  const { db, log, telemetry, callers, checkpoint, outbox, checkResponses } = options;
  const { resyncProjections } = options;
  const serverOptions = { log, telemetry, checkResponses, trustRequestId: true };
  const idempotency = { db, schema: name };

  const api = createHttpServer(serverOptions);
  requireCaller(api, callers);
  rejectMalformedIds(api);
  readAfterHooks(api, checkpoint);
  const audit = { db, log, metrics: telemetry.metrics };
  // Before the idempotency keys: the entry of a request is written before its response is stored.
  auditHooks(api, audit);
  registerIdempotency(api, idempotency);
  deleteExpiredKeys(api, { ...idempotency, log, metrics: telemetry.metrics });
  routes(api, deps);

  const internal = createHttpServer(serverOptions);
  // In a scope of its own: health and metrics, which `listen` adds, need no caller.
  internal.register(async (inner) => {
    requireCaller(inner, callers);
    readAfterHooks(inner, checkpoint);
    auditHooks(inner, audit);
    registerIdempotency(inner, idempotency);
    auditRoute(inner, { owner: name, db });
    if (sources) snapshotRoutes(inner, { owner: name, db, sources });
    if (outbox) {
      const { lineages, renewLineage } = outbox;
      lineageRoute(inner, { owner: name, lineages });
      restoreRoute(inner, { service: name as PublisherName, db, renewLineage });
    }
    if (processNamed(name).writesChanges) {
      changeRoute(inner, { owner: name, db, changeLog: createChangeLog(name), log });
    }
    internalRoutes(inner, deps);
    if (resyncProjections) {
      resyncRoute(inner, { service: name as ProjectingService, db, resync: resyncProjections });
    }
  });
  return { api, internal };
}
