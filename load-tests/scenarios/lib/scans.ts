/**
 * Returns the number of the pair of badge and door for scan `turn`: four new pairs, then a repeat
 * of the first pair of the previous round.
 */
export function placeOf(turn: number): { place: number; isRepeat: boolean } {
  const round = Math.floor(turn / 5);
  const isRepeat = turn % 5 === 4;
  // Round 0 repeats its own first pair. Later rounds repeat a scan that was completed long before.
  if (isRepeat) return { place: Math.max(0, round - 1) * 4, isRepeat };
  return { place: round * 4 + (turn % 5), isRepeat };
}
