import type { Logger } from '../core/log.ts';

const drainLimitMs = 9_500;

/**
 * Runs a process until it is told to stop.
 *
 * `start` returns the function that stops it, which then runs once, on SIGTERM or SIGINT, and has
 * ten seconds. A failed start ends the process with code 1 and a message that shows no values.
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
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    running.log.info({ signal }, 'draining');
    setTimeout(() => {
      running.log.error('drain took too long');
      process.exit(1);
    }, drainLimitMs).unref();
    await running.stop();
    running.log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void stop(signal));
  }
}
