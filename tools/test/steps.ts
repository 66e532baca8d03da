import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { killWithParent, watchParent } from '@event-api/local-servers/tether';

export const root = join(import.meta.dirname, '../..');
export const bin = (name: string) => join(root, 'node_modules/.bin', name);

export interface Step {
  title: string;
  command: string[];
  env?: NodeJS.ProcessEnv;
  /** Shows the output when the step ends, for steps that run at the same time. */
  isBuffered?: boolean;
}

export interface Runner {
  /**
   * Runs a step, prints how it ended, and returns whether it succeeded. False also after a signal
   * to stop.
   */
  passes(step: Step): Promise<boolean>;
  /** Whether a signal has stopped the run. */
  isStopped(): boolean;
}

/** Runs commands until a signal stops them, or the end of the parent process. */
export function createRunner(): Runner {
  const stops = new Set<(signal: NodeJS.Signals) => void>();
  let isStopped = false;
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true;
    for (const each of stops) each(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  watchParent(() => stop('SIGTERM'));
  return {
    isStopped: () => isStopped,
    async passes({ title, command, env, isBuffered = false }) {
      if (isStopped) return false;
      const startedAt = performance.now();
      if (!isBuffered) console.log(`\n== ${title}`);
      const [program = '', ...args] = [...killWithParent('SIGKILL'), ...command];
      const child = spawn(program, args, {
        cwd: root,
        stdio: isBuffered ? ['inherit', 'pipe', 'pipe'] : 'inherit',
        env: { ...process.env, ...env },
      });
      const kill = (signal: NodeJS.Signals) => void child.kill(signal);
      stops.add(kill);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (part: Buffer) => {
          output += part.toString();
        });
      }
      const [code] = await once(child, 'close');
      stops.delete(kill);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (isBuffered && code !== 0) console.log(`\n== ${title}\n${output.trimEnd()}`);
      console.log(`== ${title}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
      return code === 0;
    },
  };
}
