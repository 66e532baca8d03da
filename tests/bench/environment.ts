import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { createSupervisor } from '@event-api/local-servers/supervise';
import { createOperatorClient, type OperatorClient } from '@event-api/tools/admin/operator-client';
import { type StartedPlatform, startPlatform } from '@event-api/tools/platform/platform';
import { createProgress, type Progress } from '@event-api/tools/terminal/progress';

/** What a bench runs in: a platform of its own, as in production, on servers that keep what they are told. */
export interface BenchEnvironment {
  platform: StartedPlatform;
  operator: OperatorClient;
  progress: Progress;
  /** Runs when the bench is over, however it ends; the last one first. */
  onEnd(undo: () => void): void;
}

/** Starts everything, runs `bench`, and stops everything, also when it fails or Ctrl-C comes. */
export async function withPlatform<Result>(
  bench: (environment: BenchEnvironment) => Promise<Result>,
): Promise<Result> {
  // Its processes inherit this; they say nothing below a warning.
  process.env.NODE_ENV = 'production';
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
    return await bench({ platform, operator, progress, onEnd: (step) => void undo.push(step) });
  } finally {
    await stop();
  }
}
