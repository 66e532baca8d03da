/** Which place, a badge at a door, the scan number `turn` is about: four new ones, then the first of the four before. */
export function placeOf(turn: number): { place: number; isRepeat: boolean } {
  const round = Math.floor(turn / 5);
  const isRepeat = turn % 5 === 4;
  // The first round repeats its own first; all others one that was answered long ago.
  if (isRepeat) return { place: Math.max(0, round - 1) * 4, isRepeat };
  return { place: round * 4 + (turn % 5), isRepeat };
}
