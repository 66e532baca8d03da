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
import { tracedRequest } from './traced-request.ts';

// Each record is validated on its own, so that a malformed one does not hide the others.
const Page = z.object({ snapshots: z.array(z.unknown()), next: z.string().nullable() });

type OwnerResponse = Awaited<ReturnType<typeof tracedRequest>>;

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

  async function get(template: string, path: string, signal: AbortSignal): Promise<OwnerResponse> {
    const token = currentToken();
    try {
      const response = await tracedRequest(new URL(path, url), {
        target: { template },
        method: 'GET',
        headers: {
          'x-caller': await signer.sign({ audience: 'service', actor: currentActor() }),
          ...(token && { [readAfterHeader]: formatReadAfter(token) }),
        },
        signal,
      });
      recordWrite(parseReadAfter(response.headers[readAfterHeader]));
      return response;
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function bodyOf<Type>(response: OwnerResponse, schema: z.ZodType<Type>): Promise<Type> {
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw unavailable(new Error(`the owner responded with ${response.statusCode}`));
    }
    try {
      return schema.parse(await response.body.json());
    } catch (error) {
      throw unavailable(error);
    }
  }

  return {
    async read(type, businessUnitId, id, signal) {
      const path = ['/internal/snapshots', ...[type, businessUnitId, id].map(encodeURIComponent)];
      const response = await get(recordTemplate, path.join('/'), signal);
      const isMissing = response.statusCode === 404 && !isMissingRoute(404, response.headers);
      if (!isMissing) return bodyOf(response, Snapshot);
      await response.body.dump();
      return null;
    },
    async lineage(signal) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(projectionTimeouts.lineageMs)]);
      const response = await get(lineageTemplate, lineageTemplate, inTime);
      return bodyOf(response, LineageResponse);
    },
    async page(type, after, signal) {
      const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(pageTimeoutMs)]);
      const path = `/internal/snapshots/${type}${query}`;
      return bodyOf(await get(pageTemplate, path, inTime), Page);
    },
  };
}
