import { statement } from '@event-api/platform/db/statement';
import { createOperatorClient, type OperatorClient } from '@event-api/tools/admin/operator-client';
import type { StartedPlatform } from '@event-api/tools/platform/platform';
import { startTemporaryPlatform } from '@event-api/tools/platform/temporary-platform';
import { createProgress, type Progress } from '@event-api/tools/terminal/progress';
import { queryEachServer } from './database.ts';

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
  // All processes that the bench starts inherit this, those of the next bench do not.
  const former = setEnvironment({ NODE_ENV: 'production', ...settings });
  try {
    return await runOnPlatform(bench, withConsole);
  } finally {
    setEnvironment(former);
  }
}

async function runOnPlatform<Result>(
  bench: (environment: BenchEnvironment) => Promise<Result>,
  withConsole: boolean,
): Promise<Result> {
  const progress = createProgress((line) => process.stderr.write(`${line}\n`));
  const platform = await startTemporaryPlatform({ say: progress.say, withConsole });
  try {
    const operator = await createOperatorClient({
      internalUrls: platform.internalUrls,
      privateJwk: platform.keys.private.admin,
    });
    return await bench({
      platform,
      operator,
      pids: platform.pids,
      progress,
      settle: () => queryEachServer(platform.databaseUrls, writeCheckpoint),
      onEnd: platform.onEnd,
    });
  } finally {
    await platform.stop();
  }
}

/** Sets variables, or deletes those without a value. Returns their former values. */
function setEnvironment(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const former = Object.fromEntries(
    Object.keys(variables).map((name) => [name, process.env[name]]),
  );
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  return former;
}

const writeCheckpoint = statement('bench_checkpoint', 'checkpoint');
