import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { type Command, chooseOperation, findCommands } from '@event-api/contracts/operator/command';
import { ApiError, envelope, invalidArgument } from '@event-api/platform/core/errors';
import { readCallerKey } from '@event-api/provisioning/keys';
import { readPlatformFile } from '../../settings/platform-file.ts';
import { readDataDir } from '../../settings/settings.ts';
import { runComposed } from '../composed.ts';
import {
  createOperatorClient,
  OperatorError,
  PlatformUnreachableError,
} from '../operator-client.ts';
import { openReadAfterStore } from '../read-after-store.ts';
import { type Arguments, parseArguments, UsageError } from './arguments.ts';
import { commands, compositionOf } from './commands.ts';
import { details, listing, schemas, USAGE } from './help.ts';
import { takesKey } from './takes-key.ts';

const NOT_RUNNING = 'the platform is not running: start it with npm start, with the same DATA_DIR';

/** A token has room for a name of this many characters. */
const maxOperatorName = 200;

/** All commands, those with a prefix, or one in detail. Errors: UsageError. */
function help(name: string | undefined): string {
  if (name === undefined) return `${USAGE}\n\n${listing(commands)}`;
  const found = findCommands(commands, name);
  const [first] = found;
  if (!first) throw unknownCommand(name);
  return found.length === 1 ? details(first) : listing(found);
}

/** Errors: UsageError. */
function findCommand(name: string | undefined): Command {
  const found = commands.find((command) => command.name === name);
  if (!found) throw unknownCommand(name ?? '');
  return found;
}

const unknownCommand = (name: string) =>
  new UsageError(`unknown command ${name}: npm run -s admin -- help lists all`);

async function runCommand(parsed: Extract<Arguments, { action: 'run' }>): Promise<string> {
  const command = findCommand(parsed.name);
  const choice = chooseOperation(command, parsed.input);
  if (choice.outcome === 'invalid') throw invalidArgument([choice.issue]);
  const dataDir = readDataDir();
  const platform = readPlatformFile(dataDir);
  if (platform === undefined) throw new UsageError(NOT_RUNNING);
  const tokens = await openReadAfterStore(platform.redisUrl);
  try {
    const client = await createOperatorClient({
      internalUrls: platform.internalUrls,
      privateJwk: readCallerKey(dataDir, 'admin'),
      tokens,
      operator: operatorName(),
    });
    const options = keyOptions(command, parsed.key);
    // Before the request: after a timeout or Ctrl-C the key is what makes the command safe to
    // retry.
    if (options.key !== undefined) process.stderr.write(`Idempotency-Key: ${options.key}\n`);
    const composition = compositionOf(choice.operation, platform);
    const response = composition
      ? await runComposed(composition, client, parsed.input)
      : await client.callUnchecked(choice.operation, parsed.input, options);
    return `${JSON.stringify(response, null, 2)}\n`;
  } finally {
    tokens.close();
  }
}

/**
 * The person at the command line: the setting `OPERATOR`, or the user of the system if it has a
 * name.
 */
function operatorName(): string | null {
  if (process.env.OPERATOR) return process.env.OPERATOR.slice(0, maxOperatorName);
  try {
    return userInfo().username.slice(0, maxOperatorName);
  } catch {
    return null;
  }
}

function keyOptions(command: Command, key: string | undefined) {
  if (key !== undefined) return { key };
  return !takesKey(command) ? {} : { key: randomUUID(), isKeyGenerated: true };
}

function messageOf(error: unknown): string {
  if (error instanceof OperatorError) return JSON.stringify(error.envelope, null, 2);
  if (error instanceof ApiError) return JSON.stringify(envelope(error), null, 2);
  if (error instanceof PlatformUnreachableError) {
    return error.isTimeout
      ? 'the platform did not respond in time; the command may have taken effect: retry it with --key and the same key'
      : NOT_RUNNING;
  }
  return error instanceof Error ? error.message : String(error);
}

async function main(args: readonly string[]): Promise<string> {
  const parsed = parseArguments(args);
  if (parsed.action === 'run') return runCommand(parsed);
  return parsed.action === 'help' ? help(parsed.name) : schemas(findCommand(parsed.name));
}

// A reader such as `head` may close the pipe before everything is written. That is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
