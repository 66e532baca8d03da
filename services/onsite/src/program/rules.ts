/** What there is, with the fields that a command brings; those it leaves out stay. */
export function applyPatch<State extends object>(
  current: State,
  patch: { [K in keyof State]?: State[K] | undefined },
): State {
  const changes = Object.entries(patch).filter(
    ([key, value]) => key in current && value !== undefined,
  );
  return { ...current, ...Object.fromEntries(changes) };
}
