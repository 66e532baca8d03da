import { randomUUID } from 'node:crypto';
import type { Client } from '../../generated/client/types.gen.ts';
import type { Operation } from '../../operation.ts';
import { CommandError, type Invocation, type Option } from '../command.ts';
import { connect } from '../config.ts';
import { optionOf, verbOf } from './names.ts';
import { printRecord } from './print.ts';
import { headersOf, type Request, readBody, readFields, readPath, send } from './request.ts';
import { fieldOption } from './values.ts';

/** The options of an operation that changes something. */
export function writeOptions(operation: Operation): Record<string, Option> {
  const { body, query, takesKey } = operation;
  return {
    ...Object.fromEntries(
      [...(body?.fields ?? []), ...query].map((field) => [optionOf(field), fieldOption(field)]),
    ),
    ...(body && {
      data: { value: 'JSON|@file|-', summary: 'the whole body: JSON, a file, or the input' },
    }),
    ...(takesKey && {
      key: { value: 'text', summary: 'the Idempotency-Key of an earlier call, to repeat it' },
    }),
    'print-request': { summary: 'print the request instead of sending it' },
    ...(mayTakeAway(operation) && { yes: { summary: 'confirm it' } }),
  };
}

/** Sends a change, after a confirmation if it takes something away, and prints the record. */
export async function runWrite(operation: Operation, invocation: Invocation): Promise<void> {
  const { terminal, text, isSet } = invocation;
  const request: Request = {
    path: readPath(operation, invocation),
    query: readFields(operation.query, invocation),
    body: await readBody(operation, invocation),
    ...(operation.takesKey && { key: text('key') ?? randomUUID() }),
  };
  const client = await connect(terminal);
  if (isSet('print-request')) {
    printRequest(invocation, client, operation, request);
    return;
  }
  if (takesAway(operation, request.body) && !isSet('yes')) {
    await confirm(invocation, `${operation.summary} (${addressOf(client, operation, request)})`);
  }
  // Before the request: after a timeout or Ctrl-C the key is what makes it safe to repeat.
  if (request.key !== undefined) noteKey(invocation, request.key);
  printRecord(invocation, await send(client, operation, request));
}

/** What these verbs do can be changed or ended by another one. */
const giving = new Set(
  'approve assign confirm create pair place replay report set test update'.split(' '),
);

/** Whether the change ends something that no other change brings back. */
export const takesAway = (operation: Pick<Operation, 'id'>, body: unknown): boolean =>
  !isDryRun(body) && (!giving.has(verbOf(operation)) || archives(body));

const isDryRun = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true;

const archives = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'status' in body && body.status === 'archived';

const mayTakeAway = (operation: Operation): boolean =>
  operation.body?.fields?.some(({ values }) => values.includes('archived')) ||
  takesAway(operation, undefined);

/** Waits for a person to confirm. A program that runs the command does not. Errors: CommandError. */
async function confirm({ terminal }: Invocation, what: string): Promise<void> {
  if (terminal.readReply === null) return;
  const reply = await terminal.readReply(`${what}? [y/N] `);
  if (!/^y(es)?$/i.test(reply.trim())) throw new CommandError('nothing was changed');
}

function noteKey({ terminal, json }: Invocation, key: string): void {
  if (json) terminal.note(JSON.stringify({ idempotencyKey: key }));
  else terminal.note(`Idempotency-Key: ${key} (--key repeats this request, with one effect)`);
}

const addressOf = (client: Client, { method, url }: Operation, { path, query }: Request): string =>
  `${method} ${client.buildUrl({ url, path, query })}`;

function printRequest(
  { terminal, json }: Invocation,
  client: Client,
  operation: Operation,
  request: Request,
): void {
  const { body } = request;
  const address = addressOf(client, operation, request);
  const headers = headersOf(request);
  if (json) {
    const [method, url] = address.split(' ');
    terminal.print(JSON.stringify({ method, url, headers, body }));
    return;
  }
  terminal.print(address);
  for (const [name, value] of Object.entries(headers)) terminal.print(`${name}: ${value}`);
  if (body !== undefined) terminal.print(`\n${JSON.stringify(body, null, 2)}`);
}
