import { type SpawnOptions, spawn } from 'node:child_process';
import { killWithParent } from '@event-api/local-servers/tether';

/** How a command ended, and what it wrote. */
export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command to its end. It is killed after `timeoutMs`, and with this process. A command that
 * cannot be started, or that a signal ended, has the status -1.
 */
export async function run(
  command: readonly string[],
  options: { timeoutMs: number; input?: string } & Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<Ended> {
  const { timeoutMs, input = '', ...spawnOptions } = options;
  const [program = '', ...words] = [...killWithParent('SIGKILL'), ...command];
  const child = spawn(program, words, {
    ...spawnOptions,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (part: string) => {
      output[name] += part;
    });
  // A command that does not read its input closes it.
  child.stdin.on('error', () => undefined).end(input);
  const status = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output.stderr += error.message;
      resolve(-1);
    });
    child.once('close', (code) => resolve(code ?? -1));
  });
  return { status, ...output };
}

/** Like `run`. Errors: when the command does not exit with 0; the message has its output. */
export async function runOrFail(
  command: readonly string[],
  options: Parameters<typeof run>[1],
): Promise<string> {
  const { status, stdout, stderr } = await run(command, options);
  if (status === 0) return stdout;
  throw new Error(`${command.join(' ')} failed (${status})\n${(stderr + stdout).trim()}`);
}
