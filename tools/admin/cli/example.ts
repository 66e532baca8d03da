import type { Operation } from '@event-api/contracts/operation';
import {
  allowedValues,
  type FieldSchema,
  inputSchema,
} from '@event-api/contracts/operator/command';

/**
 * An input that the operation accepts: its required fields, the example of the body as a whole, and
 * for an update the first field that it can change.
 */
export function exampleInput(operation: Operation): Record<string, unknown> {
  const { properties = {}, required = [], example = {} } = inputSchema(operation);
  const isUpdate = operation.config.operationId.endsWith('.update');
  const changed = Object.keys(properties).find((name) => isUpdate && !required.includes(name));
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || name === changed,
  );
  const values = names.map((name) => [name, sampleOf(properties[name] ?? {})]);
  return { ...Object.fromEntries(values), ...example };
}

function sampleOf(schema: FieldSchema): unknown {
  if (schema.example !== undefined) return schema.example;
  const [first] = allowedValues(schema);
  if (first !== undefined) return first;
  if (schema.anyOf) return sampleOf(schema.anyOf[0] ?? {});
  if (schema.type === 'array') return [sampleOf(schema.items ?? {})];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer') return schema.minimum ?? 1;
  return 'text';
}
