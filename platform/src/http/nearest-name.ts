/** A longer name is not a misspelling of any field. */
const maxLength = 64;

/** The name that a client most likely meant; undefined when none is similar. */
export function nearestName(input: string, names: readonly string[]): string | undefined {
  if (input.length > maxLength) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const difference = differenceOf(plain(input), plain(name));
    if (difference < least) [nearest, least] = [name, difference];
  }
  return nearest;
}

/** Equal for `registration_type_id` and `RegistrationTypeId`. */
const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** The distance of two names; infinite when they are not similar. */
function differenceOf(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = a.length < b.length ? a : b;
  const longer = shorter === a ? b : a;
  // `price` for `priceAmount`, `emailAddress` for `email`.
  if (shorter.length >= 3 && longer.includes(shorter)) return 0.5;
  const distance = editDistance(a, b);
  return distance <= Math.max(1, Math.floor(longer.length / 3))
    ? distance
    : Number.POSITIVE_INFINITY;
}

/**
 * Insertions, deletions, substitutions and swaps of neighbours: the optimal string alignment
 * distance.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const options = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      ];
      const isSwap =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) options.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...options));
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}
