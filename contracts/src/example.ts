import type { z } from 'zod';

type Def = {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, string>;
  values?: unknown[];
  checks?: { _zod: { def: { check: string; value?: number } } }[];
};

/**
 * A value that the schema takes, made from the examples that its fields carry. Deterministic; fields
 * without an example get the least that fits.
 */
export function exampleOf(schema: z.ZodType): unknown {
  const given = (schema.meta() as { example?: unknown } | undefined)?.example;
  if (given !== undefined) return given;
  const def = schema.def as unknown as Def;
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([name, field]) => [name, exampleOf(field)]),
      );
    case 'array':
      return def.element ? [exampleOf(def.element)] : [];
    case 'nullable':
    case 'optional':
    case 'default':
      return def.innerType ? exampleOf(def.innerType) : null;
    case 'pipe':
      return def.in ? exampleOf(def.in) : null;
    case 'union':
      return def.options?.[0] ? exampleOf(def.options[0]) : null;
    case 'enum':
      return Object.values(def.entries ?? {})[0];
    case 'literal':
      return def.values?.[0];
    case 'boolean':
      return false;
    case 'number':
    case 'int':
      return leastOf(def);
    case 'string':
      return 'text';
    default:
      return null;
  }
}

const leastOf = ({ checks = [] }: Def): number => {
  const bounds = checks.map(({ _zod }) => _zod.def);
  return Math.max(0, bounds.find(({ check }) => check === 'greater_than')?.value ?? 0);
};
