export type VersionDecision =
  | { outcome: 'serve'; version: string }
  | { outcome: 'unknown_version' };

/** The version of one request: the one its header asks for, else the one its key is pinned to. */
export function decideVersion(
  asked: string | undefined,
  pinned: string,
  known: readonly string[],
): VersionDecision {
  if (asked === undefined) return { outcome: 'serve', version: pinned };
  return known.includes(asked)
    ? { outcome: 'serve', version: asked }
    : { outcome: 'unknown_version' };
}
