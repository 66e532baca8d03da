import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from './eventually.ts';

/**
 * Stops a process until it gets SIGCONT. Resolves when all of its threads have stopped: on a busy
 * machine a thread that is not scheduled runs on for a while after the signal was sent.
 */
export async function stopProcess(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('the process does not run');
  process.kill(pid, 'SIGSTOP');
  if (process.platform !== 'linux') return;
  await eventually(() => {
    const states = readdirSync(`/proc/${pid}/task`).map((thread) => stateOf(pid, thread));
    if (states.some((state) => state !== 'T')) throw new Error(`threads are in ${states.join()}`);
  });
}

/**
 * See proc(5): the state follows the name, which is in parentheses and may contain any character.
 */
function stateOf(pid: number, thread: string): string | undefined {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2)[0];
}
