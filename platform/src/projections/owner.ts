import { Snapshot } from '@event-api/contracts/messages/snapshot';
import { z } from 'zod';
import type { CallerSigner } from '../callers.ts';
import { unavailable } from '../errors.ts';

const Page = z.object({ snapshots: z.array(Snapshot), next: z.string().nullable() });

/** The service that owns what is copied here, asked over its internal operations. */
export interface SnapshotOwner {
  /** A record as it is now, or null if there is none. Errors: 503 when the owner does not answer in time. */
  read(type: string, businessUnitId: string, id: string): Promise<Snapshot | null>;
  /** Records of a type by id, after a page's `next`. Errors: 503. */
  page(type: string, after: string | null): Promise<z.infer<typeof Page>>;
}

export function createSnapshotOwner(options: {
  /** The owner's internal listener. */
  url: string;
  signer: CallerSigner;
  readTimeoutMs?: number;
}): SnapshotOwner {
  const { url, signer, readTimeoutMs = 300 } = options;

  async function get(path: string, timeoutMs: number): Promise<Response> {
    try {
      const token = await signer.sign({ audience: 'service' });
      return await fetch(new URL(path, url), {
        headers: { 'x-caller': token },
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function bodyOf(response: Response): Promise<unknown> {
    if (!response.ok) throw unavailable(new Error(`the owner answered ${response.status}`));
    return response.json().catch((error) => {
      throw unavailable(error);
    });
  }

  return {
    async read(type, businessUnitId, id) {
      const path = ['/internal/snapshots', type, businessUnitId, id].map(encodePart).join('/');
      const response = await get(path, readTimeoutMs);
      if (response.status === 404) return null;
      return Snapshot.parse(await bodyOf(response));
    },
    async page(type, after) {
      const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
      return Page.parse(await bodyOf(await get(`/internal/snapshots/${type}${query}`, 10_000)));
    },
  };
}

const encodePart = (part: string, index: number): string =>
  index === 0 ? part : encodeURIComponent(part);
