/** Caches up to `max` results of a function of a text, then begins again. */
export function memoize<Result>(
  max: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const cache = new Map<string, Result>();
  return (text) => {
    const before = cache.get(text);
    if (before !== undefined) return before;
    if (cache.size >= max) cache.clear();
    const result = compute(text);
    cache.set(text, result);
    return result;
  };
}
