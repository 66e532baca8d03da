/**
 * Applies a patch: sets the fields that it contains and keeps the others. Fields that `current` does not have are
 * ignored.
 */
export function applyPatch<State extends object>(
  current: State,
  patch: { [K in keyof State]?: State[K] | undefined },
): State {
  const changes = Object.entries(patch).filter(
    ([key, value]) => key in current && value !== undefined,
  );
  return { ...current, ...Object.fromEntries(changes) };
}
