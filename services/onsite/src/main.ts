import { runService } from '@event-api/platform/service/run-service';
import { onsite } from './app.ts';

await runService(onsite);
