import type { Logger } from '../core/log.ts';
import { shutdownTimeouts } from '../core/timeouts.ts';
import { configureGarbageCollection } from './garbage-collection.ts';

/**
 * Runs a process until SIGTERM or SIGINT. `start` returns the function that stops it; it runs once
 * and must finish within ten seconds of the signal. If `start` fails, the process exits with code 1
 * and a message without values. A signal during `start` takes effect when it returns: a process
 * that accepts requests always drains. A wait within `start` may end by the passed signal, with its
 * AbortError.
 */
export async function runProcess(
  start: (stopping: AbortSignal) => Promise<{ log: Logger; stop: () => Promise<void> }>,
): Promise<void> {
  const signalled = firstSignal();
  const stopping = new AbortController();
  void signalled.then(() => stopping.abort());
  configureGarbageCollection();
  let running: Awaited<ReturnType<typeof start>>;
  try {
    running = await start(stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted && error instanceof Error && error.name === 'AbortError')
      process.exit(0);
    process.stderr.write(`${error instanceof Error ? error.message : 'failed to start'}\n`);
    process.exit(1);
  }
  running.log.info({ signal: await signalled }, 'draining');
  await running.stop();
  running.log.info('stopped');
  process.exit(0);
}

/**
 * Resolves with the first signal to stop, and limits the time that is left. Further signals change
 * nothing.
 */
function firstSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let signalled = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (signalled) return;
      signalled = true;
      setTimeout(() => {
        process.stderr.write('the process did not stop within its time limit\n');
        process.exit(1);
      }, shutdownTimeouts.drainMs).unref();
      resolve(signal);
    });
  }
  return promise;
}
