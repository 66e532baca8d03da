import { parseArgs } from 'node:util';
import { type Command, type Invocation, UsageError } from './command.ts';

/** What a command line requests. */
export type Parsed =
  /** The help of one command, of a group such as `orders`, or of all. */
  | { kind: 'help'; commands: readonly Command[] }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; invocation: Omit<Invocation, 'terminal'> };

/** Finds the command and reads its words and options. Errors: UsageError. */
export function parseCommandLine(commands: readonly Command[], argv: readonly string[]): Parsed {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const leading = end < 0 ? argv : argv.slice(0, end);
  const [first, second] = leading;
  if (first === undefined) {
    return argv.includes('--version') ? { kind: 'version' } : { kind: 'help', commands };
  }
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first);
  if (!command) {
    const group = commands.filter(({ name }) => name.startsWith(`${first} `));
    const isHelp = argv.includes('--help') || argv.includes('-h');
    if (isHelp && group.length > 0) return { kind: 'help', commands: group };
    throw new UsageError(unknownCommand(group, first));
  }
  const args = argv.slice(command.name.split(' ').length);
  const { values, positionals } = parseOptions(command, args);
  if (values.help) return { kind: 'help', commands: [command] };
  const { words = [] } = command;
  if (positionals.length !== words.length) {
    const expected = words.map((word) => `<${word}>`).join(' ') || 'no further words';
    throw new UsageError(`${command.name} takes ${expected}`);
  }
  const text = (option: string) => {
    const value = values[option];
    return typeof value === 'string' ? value : undefined;
  };
  const isSet = (option: string) => values[option] === true;
  return {
    kind: 'run',
    command,
    invocation: { words: positionals, text, isSet, json: isSet('json') },
  };
}

function parseOptions(command: Command, args: readonly string[]) {
  const own = Object.entries(command.options ?? {}).map(([name, { value }]) => [
    name,
    { type: value === undefined ? 'boolean' : 'string' },
  ]);
  const options = {
    ...(Object.fromEntries(own) as Record<string, { type: 'boolean' | 'string' }>),
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const, short: 'h' },
  };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    // The rest of the message is about words that begin with a dash.
    throw new UsageError((error as Error).message.split('. ')[0]);
  }
}

function unknownCommand(group: readonly Command[], first: string): string {
  if (group.length === 0) return `${first} is not a command; event-api --help lists them`;
  return `${first} requires one of: ${group.map(({ name }) => name.split(' ')[1]).join(', ')}`;
}
