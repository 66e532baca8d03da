import type { Order } from '../../api/records.ts';
import { StatusBadge } from '../ui/badge.tsx';
import { shownStatus } from './refund.rules.ts';

/** The status of an order, which says so if a part of the payment is paid back. */
export const OrderStatus = ({
  order,
}: {
  order: Pick<Order, 'status' | 'totalAmount' | 'changesAmount' | 'refundedAmount'>;
}) => <StatusBadge kind="order" status={shownStatus(order)} />;
