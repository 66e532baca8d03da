export type VersionDecision =
  | { outcome: 'serve'; version: string }
  | { outcome: 'unknown_version' };

/**
 * Decides the version of a request: the one in its header, else the one that its key is pinned to.
 */
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
