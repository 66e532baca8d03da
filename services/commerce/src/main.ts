import { runService } from '@event-api/platform/service/run-service';
import { commerce } from './app.ts';

await runService(commerce);
