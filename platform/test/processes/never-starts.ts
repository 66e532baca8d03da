import { z } from 'zod';
import { readConfig } from '../../src/core/config.ts';
import { runProcess } from '../../src/service/run-process.ts';

/** A process with invalid settings. */
await runProcess(async () => {
  readConfig(z.object({ TEST_SECRET: z.string().min(20) }));
  throw new Error('unreachable');
});
