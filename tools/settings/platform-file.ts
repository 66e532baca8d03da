import { join } from 'node:path';
import type { ProcessName } from '@event-api/contracts/topology';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';

/** Addresses of a running platform. `npm start` writes them for `npm run admin`. */
export interface PlatformFile {
  pid: number;
  /** Address of the gateway. */
  baseUrl: string;
  /** Addresses of the internal listeners, by process name: health and operator operations. */
  internalUrls: Record<string, string>;
  /** Address of the read-after tokens. */
  redisUrl: string;
  /**
   * Address of each process's database for a role that reads every table there, for checks of the
   * data; absent if operators have no access.
   */
  databaseUrls?: Record<ProcessName, string>;
}

export const platformFilePath = (dataDir: string) => join(dataDir, 'platform.json');

export function writePlatformFile(dataDir: string, content: PlatformFile): void {
  writePrivateFile(platformFilePath(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}

/** Returns undefined if no platform runs on `dataDir`. */
export function readPlatformFile(dataDir: string): PlatformFile | undefined {
  const text = readTextFile(platformFilePath(dataDir));
  return text === undefined ? undefined : JSON.parse(text);
}
