import type { LoadEvent, TestData } from '@event-api/tools/load/test-data';

const file = __ENV.TEST_DATA_FILE;

/** What `load.prepare` has created for this run. */
export const testData: TestData = JSON.parse(file ? open(file) : (__ENV.TEST_DATA ?? '{}'));

/** The gateway: the platform may call it by another address than k6 does. */
export const baseUrl: string = (__ENV.TARGET_URL || testData.baseUrl || '').replace(/\/+$/, '');

/** The first event, for scenarios that need only one. */
export const event: LoadEvent = testData.events?.[0] ?? ({} as LoadEvent);

/** Whether this process runs the whole load. Its counters are then those of the run. */
export const isOnlyRunner = (__ENV.RUNNERS ?? '1') === '1';
