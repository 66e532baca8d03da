/**
 * The JSON text of a value with the members of every object in one order. Two bodies have the same
 * text exactly when they are equal as JSON values. The order of arrays counts. Undefined has no
 * text.
 *
 * Only objects in another order are copied: a body of 1 MiB costs about as much as
 * `JSON.stringify`. It recurses as deep as the value is nested, which the body parser limits.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value)) ?? '';

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? orderedArray(value)
    : orderedObject(value as Record<string, unknown>);
}

function orderedArray(elements: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < elements.length; i++) {
    const element = ordered(elements[i]);
    if (element === elements[i]) continue;
    copy ??= [...elements];
    copy[i] = element;
  }
  return copy ?? elements;
}

function orderedObject(object: Record<string, unknown>): Record<string, unknown> {
  const keys = Object.keys(object);
  let isOrdered = true;
  const members = keys.map((key, i): [string, unknown] => {
    const value = ordered(object[key]);
    isOrdered &&= value === object[key] && (i === 0 || (keys[i - 1] as string) < key);
    return [key, value];
  });
  // Unlike an assignment, this keeps a member named `__proto__` as a member.
  return isOrdered ? object : Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
