import { ListedRefund, Refund } from '@event-api/contracts/operator/refunds';
import { viewOf } from '@event-api/platform/http/record-view';
import { listedColumns, refundColumns } from './refunds.queries.ts';

/** A refund as the operator API returns it. */
export const refundView = viewOf(Refund, refundColumns);

/** A refund in a list. */
export const listedRefundView = viewOf(ListedRefund, listedColumns());
