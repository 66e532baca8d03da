import { type ProcessName, processNames } from '@event-api/contracts/topology';
import { inject } from 'vitest';

/** The superuser's address of the run's PostgreSQL, which the first call starts. */
export const postgresUrl = () => addressOf('postgres');

/**
 * The superuser's address of the PostgreSQL of each process. It is one server for all, or with
 * TEST_DATABASES=each a server for each process.
 */
export async function postgresUrls(): Promise<Record<ProcessName, string>> {
  const isEach = process.env.TEST_DATABASES === 'each';
  const urls = processNames.map(async (name) => [
    name,
    await (isEach ? addressOf(`postgres-${name}`) : postgresUrl()),
  ]);
  return Object.fromEntries(await Promise.all(urls));
}

/** The address of the run's Redis, which the first call starts. */
export const redisUrl = () => addressOf('redis');

/**
 * The address of the run's NATS with user and password, which the client library does not read from
 * it.
 */
export const natsUrl = () => addressOf('nats');

/** The folder with the bundled processes, which the first call creates. */
export const bundlesFolder = () => addressOf('bundles');

async function addressOf(server: string): Promise<string> {
  const response = await fetch(`${inject('serversUrl')}/${server}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${server}: ${text}`);
  return text;
}
