import { parentPort, workerData } from 'node:worker_threads';
import { createOperatorClient } from '../admin/operator-client.ts';
import { openReadAfterStore } from '../admin/read-after-store.ts';
import { seedDemo } from '../seed/seed-demo.ts';
import { seedOperators } from '../seed/seed-operators.ts';
import type { Progress } from '../terminal/progress.ts';
import type { SeedMessage, SeedOptions } from './seed.ts';

const options: SeedOptions = workerData;
const post = (message: SeedMessage) => parentPort?.postMessage(message);
const progress: Progress = {
  say: (line) => post({ kind: 'say', line }),
  async during(title, work) {
    post({ kind: 'begin', title });
    const result = await work();
    post({ kind: 'end' });
    return result;
  },
};

const tokens = await openReadAfterStore(options.redisUrl);
const operator = await createOperatorClient({ ...options, tokens });
const demoKey = await seedDemo({ ...options, operator, progress });
await seedOperators({ ...options, operator, progress });
tokens.close();
post({ kind: 'done', demoKey });
