import { runProcess } from '@event-api/platform/service/run-process';
import { config } from './config.ts';
import { startGateway } from './start.ts';

await runProcess((stopping) => startGateway(config(), stopping));
