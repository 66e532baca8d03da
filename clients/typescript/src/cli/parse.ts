import { parseArgs } from 'node:util';
import { type Command, type Invocation, UsageError } from './command.ts';
import { nearest } from './nearest.ts';
import { operatorOnly } from './operator-only.ts';

/** What a command line requests. */
export type Parsed =
  /** The help of one command, of all about a verb or a resource, or of all. */
  | { kind: 'help'; commands: readonly Command[] }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; invocation: Omit<Invocation, 'terminal'> };

/** Finds the command and reads its words and options. Errors: UsageError. */
export function parseCommandLine(commands: readonly Command[], argv: readonly string[]): Parsed {
  const end = argv.findIndex((word) => word.startsWith('-'));
  const leading = (end < 0 ? argv : argv.slice(0, end)).filter((word) => word !== 'help');
  const isHelp = ['--help', '-h', 'help'].some((word) => argv.includes(word));
  const [first, second] = leading;
  if (first === undefined) {
    return argv.includes('--version') ? { kind: 'version' } : { kind: 'help', commands };
  }
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first);
  if (!command) {
    const related = commands.filter(({ name }) => name.split(' ').includes(first));
    if (isHelp && related.length > 0) return { kind: 'help', commands: related };
    throw new UsageError(unknownCommand(commands, first, second));
  }
  if (isHelp) return { kind: 'help', commands: [command] };
  const args = argv.slice(command.name.split(' ').length);
  const { values, positionals } = parseOptions(command, args);
  const { words = [] } = command;
  if (positionals.length !== words.length || positionals.includes('')) {
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
    const [message = ''] = (error as Error).message.split('. ');
    const [, unknown] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
    const similar = unknown && nearest(unknown, Object.keys(options));
    throw new UsageError(similar ? `${message}; did you mean --${similar}?` : message);
  }
}

const singular = (word: string): string => word.replace(/s$/, '');

/** Names the most similar command, otherwise those about the same resource or with the same verb. */
function unknownCommand(
  commands: readonly Command[],
  first: string,
  second: string | undefined,
): string {
  const reason = operatorOnly[first];
  if (reason) return reason;
  const typed = second === undefined ? first : `${first} ${second}`;
  const names = commands.map(({ name }) => name);
  const similar = nearest(typed, names);
  if (similar) return `${typed} is not a command; did you mean ${similar}?`;
  const resources = [first, second ?? first].map(singular);
  const aboutIt = names.filter((name) => resources.includes(singular(name.split(' ')[1] ?? '')));
  const related =
    aboutIt.length > 0 ? aboutIt : names.filter((name) => name.startsWith(`${first} `));
  if (related.length === 0) return `${typed} is not a command; event-api help lists them`;
  return `${typed} is not a command; there are: ${related.join(', ')}`;
}
