import { Event as EventContract } from '@event-api/contracts/http/events';
import { viewOf } from '@event-api/platform/http/record-view';
import { eventColumns } from './events.queries.ts';

/** The response body of an event. */
export const eventView = viewOf(EventContract, eventColumns);
