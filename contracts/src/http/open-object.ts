import { z } from 'zod';

/**
 * A JSON object with any fields, within `maxBytes` of JSON and `maxDepth` levels, itself included.
 * It must be storable in PostgreSQL. Fields named `__proto__` are dropped at every level, because
 * copying one replaces a prototype.
 *
 * The size is checked before anything else, so that a large value costs no more than its
 * serialization.
 */
export const openObject = (limits: { maxBytes: number; maxDepth: number }) =>
  z.preprocess(
    (value, ctx): unknown => {
      // The record below rejects what is not an object.
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const json = JSON.stringify(value);
      const issue = openObjectIssue(value, json, limits);
      if (issue) ctx.issues.push({ code: 'custom', message: issue, input: value });
      return json.includes('"__proto__"') ? withoutProto(value) : value;
    },
    z.record(z.string(), z.unknown()),
  );

function openObjectIssue(
  value: unknown,
  json: string,
  { maxBytes, maxDepth }: { maxBytes: number; maxDepth: number },
): string | null {
  if (Buffer.byteLength(json) > maxBytes) return `must have at most ${maxBytes / 1024} KiB`;
  if (isDeeper(value, maxDepth)) return `must not be nested deeper than ${maxDepth} levels`;
  // Escapes of what PostgreSQL cannot store: NUL, and halves of a surrogate pair.
  if (/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i.test(json)) {
    return 'must not contain NUL, and must be well-formed Unicode';
  }
  return null;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function withoutProto(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutProto);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      key === '__proto__' ? [] : [[key, withoutProto(each)]],
    ),
  );
}
