import { runProcess } from '@event-api/platform/service/run-process';
import { config } from './config.ts';
import { startSandbox } from './start.ts';

await runProcess(() => startSandbox(config()));
