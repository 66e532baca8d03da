import type { LoadEvent } from '@event-api/tools/load/test-data';
import { check, sleep } from 'k6';
import { type ApiResponse, bodyOf, call, pathOf, pay, untilPaid } from './api.ts';
import { hesitationSeconds, leaves } from './buyers.ts';
import { testData } from './test-data.ts';

/** How a visit to the shop ends. `failed` is an unexpected response, which the checks count. */
export type Visit = 'paid' | 'left' | 'sold_out' | 'failed';

const returnTo = { successUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/' };

/**
 * One buyer: reads the event and its ticket types, places an order of a scarce seat, hesitates, and
 * pays or leaves. The shop cancels the order of a buyer who leaves, so that the seat is free again.
 */
export function buy(event: LoadEvent, turn: number): Visit {
  const path = pathOf(event);
  const step = { turn, event };
  call('readEvent', 'GET', path, step);
  call('listTicketTypes', 'GET', `${path}/ticket-types`, step);
  const placed = call('placeOrder', 'POST', `${path}/orders`, {
    ...step,
    kind: 'order',
    statuses: [201, 412],
    body: {
      email: `buyer-${testData.run}-${turn}@example.com`,
      items: [{ itemType: 'registration_type', itemId: event.scarceTypeId }],
    },
  });
  if (placed.status === 412) return isSoldOut(placed) ? 'sold_out' : 'failed';
  if (placed.status !== 201) return 'failed';
  const order = `${path}/orders/${bodyOf(placed).orderNumber}`;
  sleep(hesitationSeconds(turn, testData.hesitation));
  if (leaves(turn)) {
    const cancelled = call('cancel', 'POST', `${order}/cancel`, { ...step, kind: 'order' });
    return cancelled.status === 200 ? 'left' : 'failed';
  }
  return confirmAndPay(order, step);
}

function confirmAndPay(order: string, step: { turn: number; event: LoadEvent }): Visit {
  const body = testData.isFree ? {} : returnTo;
  const confirmed = call('confirm', 'POST', `${order}/confirm`, { ...step, kind: 'order', body });
  if (confirmed.status !== 200) return 'failed';
  const { status, paymentUrl } = bodyOf(confirmed);
  if (status === 'paid') return 'paid';
  pay(String(paymentUrl));
  return untilPaid(order, step) ? 'paid' : 'failed';
}

function isSoldOut(response: ApiResponse): boolean {
  const { details = [] } = (bodyOf(response).error ?? {}) as { details?: { reason: string }[] };
  return check(details, {
    'a 412 says that it is sold out': ([one]) => one?.reason === 'SOLD_OUT',
  });
}
