import { Exhibitor } from '@event-api/contracts/http/exhibitors';
import { viewOf } from '@event-api/platform/http/record-view';
import { exhibitorColumns } from './exhibitors.queries.ts';

/** The response body of an exhibitor. */
export const exhibitorView = viewOf(Exhibitor, exhibitorColumns);
