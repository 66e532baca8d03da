import { join } from 'node:path';
import { readTextFile, writePrivateFile } from '@event-api/provisioning/secret-files';

/** Where a running platform can be reached, as `npm start` leaves it for admin. */
export interface PlatformFile {
  pid: number;
  /** The address that integrators use. */
  baseUrl: string;
  /** Each process's internal listener: health and operator operations. */
  internalUrls: Record<string, string>;
  /** Where the gateways keep what their callers' reads have to wait for. */
  redisUrl: string;
  /** Of a role that reads every schema, for checks of the data; absent where an operator has no way to it. */
  databaseUrl?: string;
}

/** The file's path in `dataDir`. */
export const platformFilePath = (dataDir: string) => join(dataDir, 'platform.json');

/** Tells others where the platform is. */
export function writePlatformFile(dataDir: string, content: PlatformFile): void {
  writePrivateFile(platformFilePath(dataDir), `${JSON.stringify(content, null, 2)}\n`);
}

/** Undefined where nothing was started on `dataDir`, or where it was stopped. */
export function readPlatformFile(dataDir: string): PlatformFile | undefined {
  const text = readTextFile(platformFilePath(dataDir));
  return text === undefined ? undefined : JSON.parse(text);
}
