import { spawn } from 'node:child_process';
import { killWithParent } from './tether.ts';

/**
 * Runs a command to its end. It is killed when `signal` is aborted and when this process ends.
 * Errors: when it does not exit with 0; the message contains its output.
 */
export async function runOnce(
  title: string,
  command: string[],
  options: { env: NodeJS.ProcessEnv; cwd: string; signal: AbortSignal },
): Promise<void> {
  const [program = '', ...args] = [...killWithParent('SIGKILL'), ...command];
  const child = spawn(program, args, {
    ...options,
    killSignal: 'SIGKILL',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part.toString();
    });
  }
  const ending = await new Promise<string | number>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1));
  });
  if (ending !== 0) throw new Error(`${title} failed (${ending})\n${output.trim()}`);
}
