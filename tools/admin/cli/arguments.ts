import { parseArgs } from 'node:util';
import { USAGE } from './help.ts';

/** A mistake in the command line, reported in one line. */
export class UsageError extends Error {}

export type Arguments =
  | { action: 'help' | 'schema'; name: string | undefined }
  | { action: 'run'; name: string; input: unknown; key: string | undefined };

/** Parses the command line. Errors: UsageError. */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parse(args);
  const isHelp = positionals[0] === 'help';
  const [name, json = '{}', ...rest] = isHelp ? positionals.slice(1) : positionals;
  if (rest.length > 0) throw new UsageError(`too many arguments; quote the JSON: ${USAGE}`);
  if (values.schema) return { action: 'schema', name };
  if (isHelp || values.help || name === undefined) return { action: 'help', name };
  return { action: 'run', name, input: parseJson(json), key: values.key };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        schema: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}: ${USAGE}`);
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'cannot be read';
    throw new UsageError(`the input is not JSON (${reason}): ${USAGE}`);
  }
}
