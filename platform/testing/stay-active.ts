import { processActivity } from '../src/core/activity.ts';

// The test files of one worker share its activity. Without this, the intervals of background checks in a file would
// depend on what the files before it did: a worker that was quiet for 30 seconds checks less often.
processActivity.note();
setInterval(() => processActivity.note(), 1000).unref();
