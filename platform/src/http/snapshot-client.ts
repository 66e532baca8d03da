import { Snapshot } from '@event-api/contracts/messages/snapshot';
import { z } from 'zod';
import { currentActor } from '../core/actor.ts';
import { unavailable } from '../core/errors.ts';
import { httpTimeouts, projectionTimeouts } from '../core/timeouts.ts';
import type { SnapshotClient } from '../messaging/projections/snapshot-client.ts';
import { currentToken, recordWrite } from '../messaging/read-after/scope.ts';
import { formatReadAfter, parseReadAfter, readAfterHeader } from '../messaging/read-after/token.ts';
import type { CallerSigner } from './caller-tokens.ts';
import { isMissingRoute } from './missing-route.ts';
import type { ReceivedResponse, ReceiveLimits } from './receive-response.ts';
import { tracedRequest } from './traced-request.ts';

// Each record is validated on its own, so that a malformed one does not hide the others.
const Page = z.object({ snapshots: z.array(z.unknown()), next: z.string().nullable() });

const LineageResponse = z.object({
  lineage: z.string(),
  previousLineage: z.string().nullable().optional(),
});

const lineageTemplate = '/internal/lineage';
const pageTemplate = '/internal/snapshots/:type';
const recordTemplate = `${pageTemplate}/:businessUnitId/:id`;

/** Errors: 503 as the interface says, also for any response that is not a page or a record. */
export function createSnapshotClient(options: {
  /** The internal listener of the owning service. */
  url: string;
  signer: CallerSigner;
  pageTimeoutMs?: number;
}): SnapshotClient {
  const { url, signer, pageTimeoutMs = httpTimeouts.snapshotPageMs } = options;

  async function get(
    template: string,
    path: string,
    limits: ReceiveLimits,
  ): Promise<ReceivedResponse> {
    const token = currentToken();
    try {
      const response = await tracedRequest(new URL(path, url), {
        target: { template },
        method: 'GET',
        headers: {
          'x-caller': await signer.sign({ audience: 'service', actor: currentActor() }),
          ...(token && { [readAfterHeader]: formatReadAfter(token) }),
        },
        ...limits,
      });
      recordWrite(parseReadAfter(response.headers[readAfterHeader]));
      return response;
    } catch (error) {
      throw unavailable(error);
    }
  }

  function bodyOf<Type>({ statusCode, body }: ReceivedResponse, schema: z.ZodType<Type>): Type {
    if (statusCode !== 200) throw unavailable(new Error(`the owner responded with ${statusCode}`));
    try {
      return schema.parse(JSON.parse(body.toString()));
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    async read(type, businessUnitId, id) {
      const path = ['/internal/snapshots', ...[type, businessUnitId, id].map(encodeURIComponent)];
      const limits = { timeoutMs: projectionTimeouts.refreshMs };
      const response = await get(recordTemplate, path.join('/'), limits);
      const isMissing = response.statusCode === 404 && !isMissingRoute(404, response.headers);
      return isMissing ? null : bodyOf(response, Snapshot);
    },
    async lineage(signal) {
      const limits = { signal, timeoutMs: projectionTimeouts.lineageMs };
      return bodyOf(await get(lineageTemplate, lineageTemplate, limits), LineageResponse);
    },
    async page(type, after, signal) {
      const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
      const path = `/internal/snapshots/${type}${query}`;
      const limits = { signal, timeoutMs: pageTimeoutMs };
      return bodyOf(await get(pageTemplate, path, limits), Page);
    },
  };
}
