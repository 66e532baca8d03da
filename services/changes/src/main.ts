import { runService } from '@event-api/platform/service/run-service';
import { changes } from './app.ts';

await runService(changes);
