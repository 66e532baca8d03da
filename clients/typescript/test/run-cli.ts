import type { Terminal } from '../src/cli/command.ts';
import { run } from '../src/cli/run.ts';

/** Runs a command line without a terminal. Returns the exit code and what it prints. */
export async function runCli(argv: readonly string[], terminal: Partial<Terminal> = {}) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const code = await run(argv, {
    env: { HOME: '/nonexistent' },
    print: (line) => lines.push(line),
    note: (line) => notes.push(line),
    readSecret: async () => '',
    readInput: async () => '',
    readReply: null,
    now: () => new Date(),
    signal: new AbortController().signal,
    ...terminal,
  });
  return { code, lines, out: lines.join('\n'), notes: notes.join('\n') };
}
