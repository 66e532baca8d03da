import type { Operation } from '@event-api/contracts/operation';
import { operatorOperations } from '@event-api/contracts/operator/operations';
import { callerKeys } from '@event-api/deploy-local/keys';
import { z } from 'zod';
import {
  chooseOperation,
  createOperatorClient,
  OperatorRefusal,
  PlatformUnreachableError,
} from './operator-client.ts';
import { readPlatformFile } from './platform-file.ts';
import { readDataDir } from './settings.ts';
import { openTokens } from './tokens.ts';

const USAGE = "npm run -s admin -- <command> '<json>'";
const NOT_RUNNING = 'the platform is not running: start it with npm start, with the same DATA_DIR';

/** Something to tell in one line. */
class UsageError extends Error {}

function describe({ config, schema }: Operation): string {
  const fields = schema.body instanceof z.ZodObject ? Object.entries(schema.body.shape) : [];
  // What may be left out carries a question mark, whether it has a default or is simply optional.
  const names = fields.map(([name, field]) =>
    (field as z.ZodType).safeParse(undefined).success ? `${name}?` : name,
  );
  return `${[config.operationId, `{${names.join(', ')}}`, config.summary].join('  ')}\n`;
}

function describeInDetail(operation: Operation): string {
  const { config, schema } = operation;
  const shown = (type: z.ZodType, io: 'input' | 'output') =>
    JSON.stringify(z.toJSONSchema(type, { io, unrepresentable: 'any' }), null, 2);
  const parts = [`${config.operationId}: ${config.summary}`, config.description];
  if (schema.body) parts.push(`Input:\n${shown(schema.body, 'input')}`);
  for (const reply of Object.values(schema.response))
    parts.push(`Reply:\n${shown(reply, 'output')}`);
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

function help(command: string | undefined): string {
  if (command !== undefined) return find(command).map(describeInDetail).join('\n');
  return [`${USAGE}\n\n`, ...operatorOperations.map(describe)].join('');
}

/** The operations of this name: one, or one of each owner that an input can be meant for. */
function find(command: string): Operation[] {
  const found = operatorOperations.filter(({ config }) => config.operationId === command);
  if (found.length > 0) return found;
  throw new UsageError(`unknown command ${command}: npm run -s admin -- help lists all`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'cannot be read';
    throw new UsageError(`the input is not JSON (${reason}): ${USAGE}`);
  }
}

async function runCommand(command: string, json: string): Promise<string> {
  const candidates = find(command);
  const input = parse(json);
  const operation = chooseOperation(candidates, input);
  if (!operation) {
    throw new UsageError(`no ${command} takes this input: npm run -s admin -- help ${command}`);
  }
  const dataDir = readDataDir();
  const platform = readPlatformFile(dataDir);
  if (platform === undefined) throw new UsageError(NOT_RUNNING);
  const tokens = await openTokens(platform.redisUrl);
  try {
    const client = await createOperatorClient({
      internalUrls: platform.internalUrls,
      privateJwk: callerKeys(dataDir).private.admin,
      tokens,
    });
    return `${JSON.stringify(await client.callUnchecked(operation, input), null, 2)}\n`;
  } finally {
    tokens.close();
  }
}

function tell(error: unknown): string {
  if (error instanceof OperatorRefusal) return JSON.stringify(error.envelope, null, 2);
  if (error instanceof PlatformUnreachableError) return NOT_RUNNING;
  return error instanceof Error ? error.message : String(error);
}

const [command = 'help', argument, ...rest] = process.argv.slice(2);
try {
  if (rest.length > 0) throw new UsageError(`too many words; quote the JSON: ${USAGE}`);
  const isHelp = /^(help|--help|-h)$/.test(command);
  process.stdout.write(isHelp ? help(argument) : await runCommand(command, argument ?? '{}'));
} catch (error) {
  process.stderr.write(`${tell(error)}\n`);
  process.exitCode = 1;
}
