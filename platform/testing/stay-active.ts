import { afterAll } from 'vitest';
import { processActivity } from '../src/core/activity.ts';

// Runs once for each test file. The files of one worker share its activity: without this, the
// intervals of background checks in a file would depend on the files before it, because a worker
// that was quiet for 30 seconds checks less often.
processActivity.note();
const timer = setInterval(() => processActivity.note(), 1000);
timer.unref();
afterAll(() => clearInterval(timer));
