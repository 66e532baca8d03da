import { Worker } from 'node:worker_threads';
import { unavailable } from '@event-api/platform/core/errors';
import type { DrawJob, DrawRequest, DrawResponse } from './job.ts';

/** Draws badges. */
export interface Drawer {
  /** Errors: 503 after the timeout, and while too many jobs wait. */
  draw(job: DrawJob): Promise<Buffer>;
  close(): Promise<void>;
}

export interface DrawerOptions {
  /** The thread ends when it was without work for this time. */
  idleMs: number;
  /** A job has this time, from its arrival. */
  timeoutMs: number;
  /** A new thread has this time until its first response: it loads libraries and fonts. */
  loadMs: number;
  maxWaiting: number;
}

/**
 * A young generation of this size collects as often as objects of badges die: with the default, a
 * file of 2,000 badges needs 300 MB instead of 160 MB. The old one has room for all fonts and the
 * largest file.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 };

interface Waiting {
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
  deadline: NodeJS.Timeout;
}

/**
 * Draws in a thread, because a file of many badges takes seconds, during which requests would wait,
 * and because the libraries and fonts stay in memory once they are loaded. The thread starts with
 * the first job and ends without work.
 */
export function createDrawer({ idleMs, timeoutMs, loadMs, maxWaiting }: DrawerOptions): Drawer {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  /** Runs until the first response of the thread. */
  let loading: NodeJS.Timeout | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function settle(id: number, settleWith: (job: Waiting) => void): void {
    const job = waiting.get(id);
    if (!job) return;
    waiting.delete(id);
    clearTimeout(job.deadline);
    settleWith(job);
    if (waiting.size === 0) idle = setTimeout(() => void close(), idleMs).unref();
  }

  function failAll(error: unknown): void {
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(unavailable(error)));
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    clearTimeout(loading);
    loading = undefined;
    const ended = thread;
    thread = null;
    failAll(new Error('the thread of badges ends'));
    clearTimeout(idle);
    await ended?.terminate();
  }

  function onTimeout(id: number): void {
    // A thread that ended while it loads would start from the beginning with every retry.
    if (loading) {
      settle(id, ({ reject }) => reject(unavailable(new Error('the thread of badges loads'))));
    } else {
      // The thread may be occupied by this job, so the ones behind it end, too.
      void close();
    }
  }

  function start(): Worker {
    loading = setTimeout(() => void close(), loadMs).unref();
    const started = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits });
    started.unref();
    started.on('message', (response: DrawResponse) => {
      if (thread === started) {
        clearTimeout(loading);
        loading = undefined;
      }
      settle(response.id, ({ resolve, reject }) => {
        if ('error' in response) reject(new Error(response.error));
        else resolve(Buffer.from(response.bytes.buffer));
      });
    });
    const onEnd = (reason: unknown) => {
      if (thread !== started) return;
      thread = null;
      clearTimeout(loading);
      loading = undefined;
      failAll(reason);
    };
    started.on('error', onEnd);
    started.on('exit', (code) => onEnd(new Error(`the thread of badges has exited with ${code}`)));
    return started;
  }

  return {
    close,
    draw(job) {
      if (waiting.size >= maxWaiting) throw unavailable(new Error('too many badges wait'));
      clearTimeout(idle);
      thread ??= start();
      lastId += 1;
      const request: DrawRequest = { id: lastId, job };
      return new Promise((resolve, reject) => {
        const deadline = setTimeout(() => onTimeout(request.id), timeoutMs);
        waiting.set(request.id, { resolve, reject, deadline });
        thread?.postMessage(request);
      });
    },
  };
}
