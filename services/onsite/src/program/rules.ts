/** What there is, with the fields that a command brings; those it leaves out stay. */
export function patched<State extends object>(
  current: State,
  patch: { [K in keyof State]?: State[K] | undefined },
): State {
  const given = Object.entries(patch).filter(
    ([key, value]) => key in current && value !== undefined,
  );
  return { ...current, ...Object.fromEntries(given) };
}
