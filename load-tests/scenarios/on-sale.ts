import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
import { buy } from './lib/buy.ts';
import { testData } from './lib/test-data.ts';
import { commonThresholds, exactly, summaryTrendStats } from './lib/thresholds.ts';

export { handleSummary } from './lib/summary.ts';

const sold = new Counter('seats_sold');
const freed = new Counter('seats_freed');
const rejected = new Counter('buyers_rejected');

const { events = [], rate, seconds, seats } = testData;
const allSeats = events.length * seats;
/** A request may take this long before it fails. */
const slowestSeconds = 10;

/**
 * Far more buyers than seats. They arrive at a fixed rate however slow the responses are. Every
 * seat is sold once, also those that a buyer leaves again.
 */
export const options = {
  scenarios: {
    buyers: {
      executor: 'constant-arrival-rate',
      rate,
      timeUnit: '1s',
      duration: `${seconds}s`,
      // Only who holds a seat hesitates.
      preAllocatedVUs: Math.min(allSeats, rate * seconds) + rate * 2,
      maxVUs: Math.min(allSeats, rate * seconds) + rate * slowestSeconds,
      // The last buyers hesitate, too.
      gracefulStop: '150s',
    },
  },
  thresholds: {
    ...commonThresholds,
    seats_sold: exactly(allSeats),
    // With all seats sold, a seat that was left was sold again.
    seats_freed: ['count>0'],
    buyers_rejected: ['count>0'],
  },
  summaryTrendStats,
};

export default function visit(): void {
  const turn = exec.scenario.iterationInTest;
  const event = events[turn % events.length];
  if (!event) return;
  const end = buy(event, turn);
  if (end === 'paid') sold.add(1);
  else if (end === 'left') freed.add(1);
  else if (end === 'sold_out') rejected.add(1);
}
