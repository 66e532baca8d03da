export type VersionDecision =
  | { outcome: 'serve'; version: string }
  | { outcome: 'unknown_version' };

/** The version of one request: the one its header asks for, else the one its key is pinned to. */
export function decideVersion(
  requested: string | undefined,
  pinned: string,
  supported: readonly string[],
): VersionDecision {
  if (requested === undefined) return { outcome: 'serve', version: pinned };
  return supported.includes(requested)
    ? { outcome: 'serve', version: requested }
    : { outcome: 'unknown_version' };
}
