import {
  allowedValues,
  type Command,
  type FieldSchema,
  inputSchema,
} from '@event-api/contracts/operator/command';
import { z } from 'zod';
import { exampleInput } from './example.ts';
import { takesKey } from './takes-key.ts';

export const USAGE = "npm run -s admin -- <command> '<json>' [--key <idempotency key>]";

/** More values than this are left to `--schema`. */
const maxListedValues = 6;

interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  meaning: string;
}

/** All commands, one per line. */
export function listing(commands: readonly Command[]): string {
  return commands.map((command) => `${summaryLine(command)}\n`).join('');
}

function summaryLine(command: Command): string {
  const names = fieldsOf(command).map(({ name, isRequired }) => (isRequired ? name : `${name}?`));
  const [{ config }] = command.operations;
  return [command.name, `{${names.join(', ')}}`, config.summary].join('  ');
}

/** One command: summary, description, fields and an example. */
export function details(command: Command): string {
  const [{ config }] = command.operations;
  const fields = fieldsOf(command);
  const parts = [
    `${command.name}: ${config.summary}`,
    config.description,
    fields.length > 0 ? `Fields:\n${table(fields)}` : 'Fields: none',
    `Example:\n  ${exampleLine(command)}`,
    takesKey(command)
      ? 'The command sends a new Idempotency-Key and prints it on stderr. To retry it, send the same key with --key <key>.'
      : undefined,
    '--schema prints the JSON Schema of the input and the output.',
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

/** The JSON Schemas of a command; an array if several services implement it. */
export function schemas({ operations }: Command): string {
  const all = operations.map(({ config, schema }) => ({
    command: config.operationId,
    input: schema.body ? jsonSchema(schema.body, 'input') : null,
    output: Object.values(schema.response).map((response) => jsonSchema(response, 'output'))[0],
  }));
  return `${JSON.stringify(all.length === 1 ? all[0] : all, null, 2)}\n`;
}

const jsonSchema = (type: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(type, { io, unrepresentable: 'any' });

/**
 * The fields of all operations of a command, each once, with the values that any of them allows.
 */
export function fieldsOf({ operations }: Command): Field[] {
  const merged = new Map<string, { schema: FieldSchema; isRequired: boolean }>();
  for (const operation of operations) {
    const { properties = {}, required = [] } = inputSchema(operation);
    for (const [name, schema] of Object.entries(properties)) {
      const existing = merged.get(name);
      const values = [...allowedValues(existing?.schema ?? {}), ...allowedValues(schema)];
      const { description = existing?.schema.description } = schema;
      merged.set(name, {
        schema: values.length > 0 ? { ...schema, description, enum: [...new Set(values)] } : schema,
        isRequired: required.includes(name),
      });
    }
  }
  return [...merged].map(([name, { schema, isRequired }]) => ({
    name,
    type: typeOf(schema),
    isRequired,
    meaning: meaningOf(schema),
  }));
}

function typeOf(schema: FieldSchema): string {
  const { anyOf, items, type = 'any', format } = schema;
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return `${typeOf(items ?? {})}[]`;
  return format === 'date-time' ? 'date-time' : type;
}

function meaningOf(schema: FieldSchema): string {
  const { anyOf = [] } = schema;
  const description = schema.description ?? anyOf.find((one) => one.description)?.description;
  const values = allowedValues(schema);
  const listed =
    values.length > 0 && values.length <= maxListedValues ? `one of ${values.join(', ')}` : '';
  return [description, listed].filter(Boolean).join(': ');
}

function table(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, isRequired, meaning }) => [
    name,
    type,
    isRequired ? 'required' : 'optional',
    meaning,
  ]);
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

function exampleLine(command: Command): string {
  const json = JSON.stringify(exampleInput(command.operations[0]));
  return `npm run -s admin -- ${command.name}${json === '{}' ? '' : ` '${json}'`}`;
}
