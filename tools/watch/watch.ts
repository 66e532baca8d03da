// Prints every change of a business unit as it appears in the feed: `npm run -s watch`, until
// Ctrl-C.
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Change } from '@event-api/contracts/http/changes';
import { watchParent } from '@event-api/local-servers/tether';
import { readTextFile } from '@event-api/provisioning/secret-files';
import { readPlatformFile } from '../settings/platform-file.ts';
import { readDataDir } from '../settings/settings.ts';
import { describeChange } from './describe-change.ts';

const RETRY_PAUSE_MS = 1000;

interface Target {
  baseUrl: string;
  key: string;
}

/**
 * The running platform of `npm start` and its demo key; `API_KEY` selects another business unit.
 */
function findTarget(): Target {
  const dataDir = readDataDir();
  const platform = readPlatformFile(dataDir);
  if (!platform)
    throw new Error('the platform is not running: start it with npm start, with the same DATA_DIR');
  const key = process.env.API_KEY ?? readTextFile(join(dataDir, 'demo-api-key'));
  if (!key) throw new Error('the demo data is not created yet: wait, or set API_KEY');
  return { baseUrl: platform.baseUrl, key };
}

/** A failed request that a later one may repeat, or a final one. */
class RequestError extends Error {
  readonly status: number | null;
  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

async function get(target: Target, path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${target.key}` };
  const response = await fetch(`${target.baseUrl}/v1/changes${path}`, { headers }).catch(
    (error) => {
      throw new RequestError(`the gateway is unavailable: ${error.message}`, null);
    },
  );
  const body = (await response.json()) as Record<string, unknown>;
  if (response.ok) return body;
  const { message } = body.error as { message: string };
  throw new RequestError(`the feed responds ${response.status}: ${message}`, response.status);
}

/** Follows the feed from its end. Errors: the key is rejected. */
async function watch(target: Target): Promise<never> {
  let cursor: unknown = null;
  for (;;) {
    try {
      if (cursor === null) {
        ({ cursor } = await get(target, '/head'));
        console.error(`following the changes of ${target.baseUrl}; Ctrl-C ends it`);
      }
      const page = await get(target, `?wait=5&after=${cursor}`);
      for (const change of page.changes as Change[]) console.log(describeChange(change));
      cursor = page.nextCursor;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status === 401) throw error;
      console.error(error.message);
      // After a restore the feed has another history: continue at its end.
      if (error.status === 412) cursor = null;
      await wait(RETRY_PAUSE_MS);
    }
  }
}

watchParent(() => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
try {
  await watch(findTarget());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
