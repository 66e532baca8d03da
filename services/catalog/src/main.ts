import { runService } from '@event-api/platform/service/run-service';
import { catalog } from './app.ts';

await runService(catalog);
