import { z } from 'zod';

/** The part of the body of `/readyz` that says why a server is not reached. */
const Body = z.object({ dependencies: z.record(z.string(), z.unknown()) });
const Missing = z.object({ reason: z.string() });

/**
 * The servers that a process does not reach, from the body of its `/readyz`. One that it has not
 * tried yet is not missing. A body of another shape names none.
 */
export function missingOf(body: unknown): string[] {
  const parsed = Body.safeParse(body);
  if (!parsed.success) return [];
  return Object.entries(parsed.data.dependencies).flatMap(([name, state]) =>
    Missing.safeParse(state).success ? [name] : [],
  );
}
