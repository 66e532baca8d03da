import { writeFile } from 'node:fs/promises';
import type { Client } from '../../generated/client/types.gen.ts';
import { getEvent } from '../../generated/sdk.gen.ts';
import { listAll } from '../../list-all.ts';
import type { Operation } from '../../operation.ts';
import { type Invocation, type Option, UsageError } from '../command.ts';
import { connect } from '../config.ts';
import { optionOf } from './names.ts';
import { lacksCurrency, printRecord, rowOf } from './print.ts';
import { type Request, readFields, readPath, requestOf, send } from './request.ts';
import { fieldOption } from './values.ts';

export type ListOperation = Operation & { success: { kind: 'list' } };

export const isList = (operation: Operation): operation is ListOperation =>
  operation.success.kind === 'list';

const defaultLimit = 100;
const limit: Option = {
  value: 'number',
  summary: `at most so many records, ${defaultLimit} by default`,
};
const output: Option = { value: 'file', summary: 'required; the file to write' };

/** The filters of a list. The program reads its pages by itself. */
export const filtersOf = ({ query }: Operation) =>
  query.filter(({ name }) => name !== 'cursor' && name !== 'limit');

export const filterOptions = (operation: Operation): Record<string, Option> =>
  Object.fromEntries(filtersOf(operation).map((field) => [optionOf(field), fieldOption(field)]));

/** The options of an operation that changes nothing. */
export function readOptions(operation: Operation): Record<string, Option> {
  if (isList(operation)) return { ...filterOptions(operation), limit };
  const own = operation.query.map((field) => [optionOf(field), fieldOption(field)]);
  return {
    ...Object.fromEntries(own),
    ...(operation.success.kind === 'file' && { output }),
  };
}

/** Prints the records or the record, or writes the file. */
export async function runRead(operation: Operation, invocation: Invocation): Promise<void> {
  if (isList(operation)) return printList(operation, invocation);
  const { terminal, text } = invocation;
  const file = text('output');
  if (operation.success.kind === 'file' && !file)
    throw new UsageError('--output <file> is required');
  const request = {
    path: readPath(operation, invocation),
    query: readFields(operation.query, invocation),
  };
  const response = await send(await connect(terminal), operation, request);
  if (!(response instanceof ArrayBuffer) || !file) return printRecord(invocation, response);
  await writeFile(file, new Uint8Array(response));
  printRecord(invocation, { file, bytes: response.byteLength });
}

interface Page {
  nextCursor: string | null;
  records: Record<string, unknown>[];
}

/** All records of a list, page by page. */
export function recordsOf(
  client: Client,
  operation: ListOperation,
  { path, query }: Request,
): AsyncIterable<Record<string, unknown>> {
  const list = (page: { query: Record<string, unknown> }) =>
    client.request<{ 200: Page }, unknown, true, 'data'>(
      requestOf(operation, { path, query: page.query }),
    );
  return listAll(list, { query });
}

/** Prints rows as they arrive, and says so if there are more than the limit. */
async function printList(operation: ListOperation, invocation: Invocation): Promise<void> {
  const { terminal, json } = invocation;
  const most = readLimit(invocation);
  const path = readPath(operation, invocation);
  const query = readFields(filtersOf(operation), invocation);
  const client = await connect(terminal);
  let currency: string | undefined;
  let count = 0;
  for await (const record of recordsOf(client, operation, { path, query })) {
    if (count++ === most) {
      terminal.note(`there are more than ${most}; --limit prints more`);
      return;
    }
    if (json) {
      terminal.print(JSON.stringify(record));
      continue;
    }
    const { eventId } = path;
    if (currency === undefined && eventId && lacksCurrency(record)) {
      currency = (await getEvent({ client, path: { eventId } })).currency;
    }
    terminal.print(rowOf(record, currency).join('  '));
  }
}

function readLimit({ text }: Invocation): number {
  const value = text('limit') ?? String(defaultLimit);
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new UsageError('--limit is a number from 1');
  return Number(value);
}
