import { apiVersion } from '../generated/version.gen.ts';
import { apiCommands } from './api/commands.ts';
import type { Command, Terminal } from './command.ts';
import { changesTail } from './commands/changes-tail.ts';
import { changesVerify } from './commands/changes-verify.ts';
import { listen } from './commands/listen.ts';
import { login } from './commands/login.ts';
import { trigger } from './commands/trigger.ts';
import { describeError } from './describe-error.ts';
import { helpOf, overview } from './help.ts';
import { parseCommandLine } from './parse.ts';

export const commands: readonly Command[] = [
  ...[login, listen, trigger, changesTail, changesVerify],
  ...apiCommands,
];

/**
 * Runs a command line. Returns the exit code: 0 success, also after Ctrl-C, 1 the command failed, 2
 * the command line is wrong. With `--json` the reason of a failure is JSON, too.
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  let command: Command | undefined;
  try {
    const parsed = parseCommandLine(commands, argv);
    if (parsed.kind === 'version') terminal.print(`API version ${apiVersion}`);
    else if (parsed.kind === 'help') {
      const [only, ...others] = parsed.commands;
      terminal.print(only && others.length === 0 ? helpOf(only) : overview(parsed.commands));
    } else {
      command = parsed.command;
      await command.run({ ...parsed.invocation, terminal });
    }
    return 0;
  } catch (error) {
    if (terminal.signal.aborted) return 0;
    const { lines, json, code } = describeError(error, command);
    if (argv.includes('--json')) terminal.note(JSON.stringify({ error: json }));
    else terminal.note(`error: ${lines.join('\n')}`);
    return code;
  }
}
