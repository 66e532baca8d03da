import type { Rates } from './capacity.ts';

/**
 * What the manifests carry with the least number of pods and the reserve of a plan. An installation
 * with more to carry every day raises `minReplicas`.
 */
export const deliveredLoad: Rates = {
  paidOrder: 50,
  freeOrder: 10,
  registration: 50,
  checkin: 100,
  read: 1000,
  feedRow: 500,
  consolePage: 5,
};
