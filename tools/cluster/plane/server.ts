import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { killWithParent } from '@event-api/local-servers/tether';

const STOP_TIMEOUT_MS = 10_000;

/** A program that runs until it is stopped. */
export interface Server {
  name: string;
  hasEnded(): boolean;
  endOfLog(): string;
  /** Ends it with SIGTERM, after ten seconds with SIGKILL. */
  stop(): Promise<void>;
}

/** Starts a program whose output goes to `logFile`. It ends with this process at the latest. */
export function startServer(name: string, command: readonly string[], logFile: string): Server {
  const log = openSync(logFile, 'w');
  const [program = '', ...words] = [...killWithParent('SIGKILL'), ...command];
  const child = spawn(program, words, { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  let hasEnded = false;
  const ended = once(child, 'exit').then(
    () => undefined,
    () => undefined,
  );
  void ended.then(() => {
    hasEnded = true;
  });
  return {
    name,
    hasEnded: () => hasEnded,
    endOfLog: () => readFileSync(logFile, 'utf8').trim().split('\n').slice(-15).join('\n'),
    async stop() {
      if (hasEnded) return;
      child.kill('SIGTERM');
      await Promise.race([ended, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      if (!hasEnded) child.kill('SIGKILL');
      await ended;
    },
  };
}
