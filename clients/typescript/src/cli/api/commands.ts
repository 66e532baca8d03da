import { operations } from '../../generated/operations.gen.ts';
import type { Operation } from '../../operation.ts';
import type { Command } from '../command.ts';
import { exampleOf } from './example.ts';
import { exportCommand } from './export.ts';
import { commandName, paragraphsOf, sourceOf, wordsOf } from './names.ts';
import { isList, readOptions, runRead } from './read.ts';
import { runWrite, writeOptions } from './write.ts';

/** One command per operation of the API, and one that exports each list. */
export const apiCommands: readonly Command[] = [
  ...operations.map(commandOf),
  ...operations.filter(isList).map(exportCommand),
];

function commandOf(operation: Operation): Command {
  const isRead = operation.method === 'GET';
  return {
    name: commandName(operation),
    group: operation.group,
    summary: operation.summary,
    example: exampleOf(operation),
    words: wordsOf(operation),
    options: isRead ? readOptions(operation) : writeOptions(operation),
    notes: paragraphsOf(operation),
    sourceOf: (field) => sourceOf(operation, field),
    run: (invocation) =>
      isRead ? runRead(operation, invocation) : runWrite(operation, invocation),
  };
}
