import type { Logger } from '../core/log.ts';
import { shutdownTimeouts } from '../core/timeouts.ts';
import { collectGarbageWhenIdle } from './idle-memory.ts';

/**
 * Runs a process until SIGTERM or SIGINT. `start` returns the function that stops it; it runs once and must
 * finish within ten seconds. If `start` fails, the process exits with code 1 and a message without values.
 */
export async function runProcess(
  start: () => Promise<{ log: Logger; stop: () => Promise<void> }>,
): Promise<void> {
  let running: Awaited<ReturnType<typeof start>>;
  try {
    running = await start();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'failed to start'}\n`);
    process.exit(1);
  }
  collectGarbageWhenIdle();
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    running.log.info({ signal }, 'draining');
    setTimeout(() => {
      running.log.error('drain exceeded its time limit');
      process.exit(1);
    }, shutdownTimeouts.drainMs).unref();
    await running.stop();
    running.log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void stop(signal));
  }
}
