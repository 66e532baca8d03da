import { channel } from 'node:diagnostics_channel';

/** What the channel `event-api.step` publishes. */
export interface StepReached {
  /** The name of the point in the code, such as `order.decided`. */
  step: string;
}

const steps = channel('event-api.step');

/**
 * Publishes on the diagnostics channel `event-api.step` that the process has reached a point
 * between two effects of an operation, such as the commit and the call of another service. Costs
 * nothing without a subscriber. Call it as a statement of an async function: tests replace the call
 * to stop, delay or fail the operation there.
 */
export function reachStep(step: string): void {
  if (steps.hasSubscribers) steps.publish({ step } satisfies StepReached);
}
