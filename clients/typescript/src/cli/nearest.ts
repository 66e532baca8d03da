/** The most edits that a misspelling has. */
const maxEdits = 3;

/** The candidate that a misspelt word means. Undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const rated = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.min(maxEdits, candidate.length / 2));
  return rated.toSorted((one, other) => one.edits - other.edits)[0]?.candidate;
}

/** How many characters have to be inserted, removed or replaced. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [done, character] of [...from].entries()) {
    const next = [done + 1];
    for (const [at, expected] of [...to].entries()) {
      const replaced = (row[at] ?? 0) + (character === expected ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
