import { runProcess } from '@event-api/platform/service/run-process';
import { config } from './config.ts';
import { startConsole } from './start.ts';

await runProcess((stopping) => startConsole(config(), stopping));
