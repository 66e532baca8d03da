/** Remembers up to `max` results of a function of a text, then begins again. */
export function remembered<Result>(
  max: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= max) known.clear();
    const result = compute(text);
    known.set(text, result);
    return result;
  };
}
