import { Worker } from 'node:worker_threads';
import type { Ed25519Jwk } from '@event-api/provisioning/keys';
import type { Progress } from '../terminal/progress.ts';

/** What the demo data is created with. */
export interface SeedOptions {
  dataDir: string;
  internalUrls: Record<string, string>;
  redisUrl: string;
  privateJwk: Ed25519Jwk;
  gatewayUrl: string;
  consoleUrl: string;
  demoKey: string | undefined;
}

export type SeedMessage =
  | { kind: 'say'; line: string }
  | { kind: 'begin'; title: string }
  | { kind: 'end' }
  | { kind: 'done'; demoKey: string };

/**
 * Creates the demo data and returns the secret of the demo key. It runs in a thread, whose end
 * frees the memory of the client libraries: this process then only supervises the others for days.
 * Errors: those of the operations; `signal` ends the thread.
 */
export async function seedInThread(
  options: SeedOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<string> {
  const worker = new Worker(new URL('./seed-worker.ts', import.meta.url), { workerData: options });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop);
  let endStep = () => {};
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (message: SeedMessage) => {
        if (message.kind === 'say') progress.say(message.line);
        else if (message.kind === 'end') endStep();
        else if (message.kind === 'done') resolve(message.demoKey);
        else {
          const step = new Promise<void>((end) => {
            endStep = end;
          });
          void progress.during(message.title, () => step);
        }
      });
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the creation of the demo data was stopped')));
    });
  } finally {
    endStep();
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
