/** The seconds that buyers hesitate between the order and the payment, before the factor. */
const hesitation = { shortest: 5, longest: 120 };

/** One buyer of this many leaves without paying. */
const leavesOneOf = 5;

/**
 * How long buyer `turn` hesitates. The values are spread evenly, and equal in every run: successive
 * multiples of the golden ratio never cluster.
 */
export function hesitationSeconds(turn: number, factor: number): number {
  const part = (turn * 0.6180339887498949) % 1;
  return (hesitation.shortest + part * (hesitation.longest - hesitation.shortest)) * factor;
}

/** Whether buyer `turn` leaves the order without paying. */
export const leaves = (turn: number): boolean => turn % leavesOneOf === leavesOneOf - 1;
