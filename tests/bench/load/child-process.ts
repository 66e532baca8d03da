import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';

/** A child process that runs a file of `tests/bench` and exchanges messages. */
export interface Child {
  /** Returns its next message. Errors: the process exits first. */
  next<Message>(): Promise<Message>;
  /** Sends a message and returns the next one received. Errors: the process exits first. */
  request<Message>(message: object): Promise<Message>;
  /** Disconnects. The process then exits on its own, so that it can write a CPU profile. */
  stop(): void;
}

/** Starts the file. `niceness` 1 to 19 lets all other processes run first. */
export function startChild(file: string, env: NodeJS.ProcessEnv = {}, niceness = 0): Child {
  const child = fork(join(import.meta.dirname, '..', file), { env: { ...process.env, ...env } });
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);

  async function next<Message>(): Promise<Message> {
    const over = new AbortController();
    const ended = once(child, 'exit', over).then(() => {
      throw new Error(`${file} ended`);
    });
    try {
      const [message] = await Promise.race([once(child, 'message', over), ended]);
      return message;
    } finally {
      over.abort();
    }
  }

  return {
    next,
    request(message) {
      child.send(message);
      return next();
    },
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}
