import type { Command } from './command.ts';

const table = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
};

const usageOf = ({ name, words = [] }: Command): string =>
  [name, ...words.map((word) => `<${word}>`)].join(' ');

/** The help of several commands. */
export const overview = (commands: readonly Command[]): string =>
  [
    'Usage: event-api <command> [options]',
    '',
    ...table(commands.map((command) => [usageOf(command), command.summary])),
    '',
    'event-api <command> --help explains a command. Every command accepts --json.',
    'EVENT_API_URL and EVENT_API_KEY replace what login has stored.',
    'Exit codes: 0 success, 1 the command failed, 2 the command line is wrong.',
  ].join('\n');

/** The help of one command. */
export function helpOf(command: Command): string {
  const own = Object.entries(command.options ?? {}).map(
    ([name, { value, summary }]) =>
      [value === undefined ? `--${name}` : `--${name} <${value}>`, summary] as const,
  );
  return [
    `Usage: event-api ${usageOf(command)} [options]`,
    '',
    command.summary,
    '',
    ...table([...own, ['--json', 'print JSON, one record per line'], ['--help', 'print this']]),
    ...(command.notes ? ['', ...command.notes] : []),
  ].join('\n');
}
