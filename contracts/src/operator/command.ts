import { z } from 'zod';
import type { FieldIssue } from '../http/envelope.ts';
import { isMutation, type Operation } from '../operation.ts';

/**
 * A command by its name. Several services may implement it; a field of the input decides which one
 * is called.
 */
export interface Command {
  name: string;
  operations: readonly [Operation, ...Operation[]];
}

export type Choice =
  | { outcome: 'chosen'; operation: Operation }
  | { outcome: 'invalid'; issue: FieldIssue };

/** The JSON Schema of a field, as far as the commands use it. */
export interface FieldSchema {
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  example?: unknown;
  minimum?: number;
  items?: FieldSchema;
  anyOf?: readonly FieldSchema[];
}

interface InputSchema {
  properties?: Record<string, FieldSchema>;
  required?: readonly string[];
  example?: Record<string, unknown>;
}

/** Groups operations into commands, in the order of their first operation. */
export function groupCommands(operations: readonly Operation[]): Command[] {
  const names = [...new Set(operations.map(({ config }) => config.operationId))];
  return names.flatMap((name) => {
    const [first, ...others] = operations.filter(({ config }) => config.operationId === name);
    return first ? [{ name, operations: [first, ...others] as const }] : [];
  });
}

/** The command with this name or, when there is none, all commands whose name starts with it. */
export function findCommands(commands: readonly Command[], name: string): Command[] {
  const exact = commands.filter((command) => command.name === name);
  return exact.length > 0 ? exact : commands.filter((command) => command.name.startsWith(name));
}

/** Whether a command only reads. Only the others need an `Idempotency-Key`. */
export const isRead = ({ operations }: Pick<Command, 'operations'>): boolean =>
  !operations.some(isMutation);

/** The JSON Schema of an operation's input. */
export const inputSchema = ({ schema }: Operation): InputSchema =>
  schema.body
    ? (z.toJSONSchema(schema.body, { io: 'input', unrepresentable: 'any' }) as InputSchema)
    : {};

/** The values that a field allows, if it allows only some. */
export function allowedValues({ enum: values, const: value }: FieldSchema): readonly unknown[] {
  return values ?? (value === undefined ? [] : [value]);
}

/** The field whose allowed values differ between the operations of a command. */
export function selectorOf({ operations: [first, ...others] }: Command): string | undefined {
  if (others.length === 0) return undefined;
  const valuesOf = (operation: Operation, field: string) =>
    allowedValues(inputSchema(operation).properties?.[field] ?? {});
  return Object.keys(inputSchema(first).properties ?? {}).find((field) => {
    const values = valuesOf(first, field);
    return (
      values.length > 0 &&
      others.every((other) => !valuesOf(other, field).some((value) => values.includes(value)))
    );
  });
}

/**
 * The operation that an input is meant for. A command of one operation takes any input; its service
 * validates it.
 */
export function chooseOperation(command: Command, input: unknown): Choice {
  const field = selectorOf(command);
  if (field === undefined) return { outcome: 'chosen', operation: command.operations[0] };
  const sent = (input as Record<string, unknown> | null)?.[field];
  const values = command.operations.map((operation) =>
    allowedValues(inputSchema(operation).properties?.[field] ?? {}),
  );
  const operation = command.operations.find((_, index) => values[index]?.includes(sent));
  if (operation) return { outcome: 'chosen', operation };
  const code = sent === undefined ? 'required' : 'invalid_value';
  return {
    outcome: 'invalid',
    issue: { field, issue: `must be one of ${values.flat().join(', ')}`, code },
  };
}
