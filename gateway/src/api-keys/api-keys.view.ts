import { ApiKey } from '@event-api/contracts/operator/keys';
import { viewOf } from '@event-api/platform/http/record-view';
import { listedColumns } from './api-keys.queries.ts';

/** The response body of a key. It contains neither the secret nor its hash. */
export const keyView = viewOf(ApiKey, listedColumns);
