import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { createSupervisor } from '@event-api/local-servers/supervise';
import { createProgress } from '../terminal/progress.ts';
import { type StartedPlatform, startPlatform } from './platform.ts';

/** A platform with servers and data of its own. */
export interface TemporaryPlatform extends StartedPlatform {
  dataDir: string;
  /** Process ids of the platform's processes and servers, by name. */
  pids(): Record<string, number>;
  /** Registers a step of `stop`. The steps run last, in reverse order. */
  onEnd(undo: () => void): void;
  /** Ends all processes and deletes the data. Later calls wait for the first one. */
  stop(): Promise<void>;
}

/**
 * Starts a platform in a temporary directory and resolves when it is ready. `say` receives the
 * progress and the warnings of all processes. A start that fails leaves nothing behind. With
 * `DATABASES=each` in the environment each process has a PostgreSQL of its own.
 * Errors: those of `startPlatform`.
 */
export async function startTemporaryPlatform({
  say,
  withConsole,
}: {
  say: (line: string) => void;
  withConsole?: boolean;
}): Promise<TemporaryPlatform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'event-api-platform-'));
  const supervisor = createSupervisor(say);
  const stopping = new AbortController();
  const steps = [() => rmSync(dataDir, { recursive: true, force: true })];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopping.abort();
    stopped ??= supervisor.stopAll().finally(() => {
      for (const step of steps.toReversed()) step();
    });
    return stopped;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(1)));
  }
  try {
    const platform = await startPlatform({
      settings: {
        DATA_DIR: dataDir,
        PORT: await freePort(),
        LOG_LEVEL: 'warn',
        DATABASES: process.env.DATABASES === 'each' ? 'each' : 'one',
      },
      withConsole,
      supervisor,
      progress: createProgress(say),
      onLine: (name, line) => say(`${name} | ${line}`),
      signal: stopping.signal,
    });
    return {
      ...platform,
      dataDir,
      pids: supervisor.pids,
      onEnd: (step) => void steps.push(step),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
