import { check, sleep } from 'k6';
import http from 'k6/http';
import { bodyOf, call } from './api.ts';

/** Address of the payment page in containers, where it differs from the address for browsers. */
const at = __ENV.PAYMENTS_AT;

/** Submits the hosted payment page. */
export function pay(paymentUrl: string): void {
  const url = at ? paymentUrl.replace(/^https?:\/\/[^/]+/, at) : paymentUrl;
  const paid = http.post(`${url}/pay`, null, { tags: { name: 'pay' }, redirects: 0 });
  check(paid, { 'the page accepts the payment': ({ status }) => status < 400 });
}

const attempts = 50;

/** Reads an order until it is paid, for up to five seconds. */
export function untilPaid(orderPath: string, turn: number): void {
  let isPaid = false;
  for (let attempt = 0; attempt < attempts && !isPaid; attempt++) {
    if (attempt > 0) sleep(0.1);
    isPaid = bodyOf(call('readOrder', 'GET', orderPath, { turn })).status === 'paid';
  }
  check(isPaid, { 'the order becomes paid': (passed) => passed });
}
