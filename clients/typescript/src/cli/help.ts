import type { Command } from './command.ts';
import { operatorOnly } from './operator-only.ts';

const program = 'event-api';
const lineWidth = 110;

const table = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`.trimEnd());
};

const usageOf = ({ name, words = [] }: Command): string =>
  [name, ...words.map((word) => `<${word}>`)].join(' ');

/** The help of several commands, under their headings, each with an example. */
export function overview(commands: readonly Command[]): string {
  const groups = [...new Set(commands.map(({ group }) => group))];
  return [
    `Usage: ${program} <command> [options]`,
    ...groups.flatMap((group) => [
      '',
      group,
      ...commands.filter((command) => command.group === group).flatMap(entry),
    ]),
    '',
    `${program} <command> --help explains a command. Every command accepts --json.`,
    ...Object.values(operatorOnly),
    'EVENT_API_URL and EVENT_API_KEY replace what login has stored.',
    'Exit codes: 0 success, 1 the command failed, 2 the command line is wrong.',
  ].join('\n');
}

const entry = (command: Command): string[] => [
  `  ${usageOf(command)}: ${command.summary}`,
  `      ${program} ${command.example}`,
];

/** The help of one command. */
export function helpOf(command: Command): string {
  const own = Object.entries(command.options ?? {}).map(
    ([name, { value, summary }]) =>
      [value === undefined ? `--${name}` : `--${name} <${value}>`, summary] as const,
  );
  return [
    `Usage: ${program} ${usageOf(command)} [options]`,
    '',
    command.summary,
    '',
    ...table([...own, ['--json', 'print JSON, one record per line'], ['--help', 'print this']]),
    ...(command.notes ?? []).flatMap((note) => ['', ...wrap(note)]),
    '',
    `Example: ${program} ${command.example}`,
  ].join('\n');
}

function wrap(text: string): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + word.length < lineWidth) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
