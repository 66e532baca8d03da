import { readFile } from 'node:fs/promises';
import { hasFields } from '../../check-response.ts';
import type { Client } from '../../generated/client/types.gen.ts';
import type { Field, Operation } from '../../operation.ts';
import { CommandError, type Invocation, UsageError } from '../command.ts';
import { optionOf } from './names.ts';
import { parseJson, parseValue } from './values.ts';

/** What a command line sends. */
export interface Request {
  path: Record<string, string>;
  query: Record<string, unknown>;
  /** Undefined without a body. */
  body?: unknown;
  /** The `Idempotency-Key`. */
  key?: string;
}

export const readPath = (
  { path }: Pick<Operation, 'path'>,
  { words }: Pick<Invocation, 'words'>,
): Record<string, string> =>
  Object.fromEntries(path.map(({ name }, at) => [name, words[at] ?? '']));

/** The fields whose options are set. Errors: UsageError. */
export const readFields = (
  fields: readonly Field[],
  { text }: Pick<Invocation, 'text'>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = text(optionOf(field));
      return value === undefined ? [] : [[field.name, parseValue(field, value)]];
    }),
  );

/** The body: that of `--data`, or the fields of the options. Errors: UsageError; CommandError. */
export async function readBody(
  { body }: Pick<Operation, 'body'>,
  invocation: Invocation,
): Promise<unknown> {
  if (body === null) return undefined;
  const fields = readFields(body.fields ?? [], invocation);
  const [first] = Object.keys(fields);
  const data = invocation.text('data');
  if (data !== undefined) {
    if (first)
      throw new UsageError(
        `--data is the whole body: --${optionOf({ name: first })} cannot be added`,
      );
    return parseJson('--data', await readData(data, invocation));
  }
  if (body.fields === null) throw new UsageError('--data with the body is required');
  return first || body.isRequired ? fields : undefined;
}

async function readData(data: string, { terminal }: Invocation): Promise<string> {
  if (data === '-') return terminal.readInput();
  if (!data.startsWith('@')) return data;
  try {
    return await readFile(data.slice(1), 'utf8');
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** The request of an operation as the client takes it. */
export function requestOf({ method, url, success }: Operation, request: Request) {
  const { path, query, body } = request;
  return {
    ...{ method, url, path, query },
    ...(body !== undefined && { body }),
    headers: headersOf(request),
    security: [{ scheme: 'bearer' as const, type: 'http' as const }],
    responseStyle: 'data' as const,
    throwOnError: true as const,
    ...(success.kind === 'file'
      ? { parseAs: 'arrayBuffer' as const }
      : { responseValidator: hasFields(success.fields) }),
  };
}

/** Sends the request of an operation. Errors: those of the client. */
export const send = (client: Client, operation: Operation, request: Request): Promise<unknown> =>
  client.request(requestOf(operation, request));

/** Those that depend on the request. */
export const headersOf = ({
  body,
  key,
}: Pick<Request, 'body' | 'key'>): Record<string, string> => ({
  ...(body !== undefined && { 'Content-Type': 'application/json' }),
  ...(key !== undefined && { 'Idempotency-Key': key }),
});
