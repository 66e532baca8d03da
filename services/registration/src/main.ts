import { runService } from '@event-api/platform/service/run-service';
import { registration } from './app.ts';

await runService(registration);
