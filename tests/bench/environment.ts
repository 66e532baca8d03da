import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { createSupervisor } from '@event-api/local-servers/supervise';
import { statement } from '@event-api/platform/db/statement';
import { createOperatorClient, type OperatorClient } from '@event-api/tools/admin/operator-client';
import { type StartedPlatform, startPlatform } from '@event-api/tools/platform/platform';
import { createProgress, type Progress } from '@event-api/tools/terminal/progress';
import { openBenchDatabase } from './database.ts';

/**
 * What a bench runs in: a platform of its own, usually with production settings, on servers with
 * durable writes.
 */
export interface BenchEnvironment {
  platform: StartedPlatform;
  operator: OperatorClient;
  /** Process ids of the platform's processes and servers, by name. */
  pids(): Record<string, number>;
  progress: Progress;
  /**
   * Writes all changed pages to the disk, so that the preparation of a bench does not slow down its
   * rounds.
   */
  settle(): Promise<void>;
  /** Registers a cleanup step. The steps run in reverse order, also when the bench fails. */
  onEnd(undo: () => void): void;
}

/** Settings that differ from those of production, and whether the console is started, too. */
export interface BenchSettings {
  NODE_ENV?: 'test' | 'development';
  NODE_OPTIONS?: string;
  TEST_SWITCHES?: string;
  withConsole?: boolean;
}

/**
 * Starts a platform, runs `bench`, and stops the platform, also after an error or Ctrl-C.
 * `settings` replace those of production.
 */
export async function withPlatform<Result>(
  bench: (environment: BenchEnvironment) => Promise<Result>,
  { withConsole = false, ...settings }: BenchSettings = {},
): Promise<Result> {
  // The processes of the platform inherit this.
  Object.assign(process.env, { NODE_ENV: 'production', ...settings });
  const progress = createProgress((line) => process.stderr.write(`${line}\n`));
  const folder = mkdtempSync(join(tmpdir(), 'event-api-bench-'));
  const supervisor = createSupervisor(progress.say);
  const stopping = new AbortController();
  const undo: (() => void)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    await supervisor.stopAll();
    for (const step of undo.toReversed()) step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void stop().then(() => process.exit(1)));
  }
  try {
    const platform = await startPlatform({
      settings: { DATA_DIR: folder, PORT: await freePort(), LOG_LEVEL: 'warn' },
      withConsole,
      supervisor,
      progress,
      onLine: (name, line) => progress.say(`${name} | ${line}`),
      signal: stopping.signal,
    });
    const privateJwk = platform.keys.private.admin;
    const operator = await createOperatorClient({
      internalUrls: platform.internalUrls,
      privateJwk,
    });
    return await bench({
      platform,
      operator,
      pids: supervisor.pids,
      progress,
      settle: () => checkpoint(platform.databaseUrl),
      onEnd: (step) => void undo.push(step),
    });
  } finally {
    await stop();
  }
}

const writeCheckpoint = statement('bench_checkpoint', 'checkpoint');

async function checkpoint(databaseUrl: string): Promise<void> {
  const db = await openBenchDatabase(databaseUrl, 'public', 1);
  try {
    await db.query(writeCheckpoint);
  } finally {
    await db.close();
  }
}
