import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of ours, started from a file of `bench`, that answers messages. */
export interface Child {
  /** Its next message. Errors: when it ends instead. */
  next<Message>(): Promise<Message>;
  /** Sends a message and answers the next one that comes back. Errors: when it ends instead. */
  request<Message>(message: object): Promise<Message>;
  /** It ends by itself once nobody listens to it any more, and so writes its profile if it was told to make one. */
  stop(): void;
}

export function startChild(file: string, env: NodeJS.ProcessEnv = {}): Child {
  const child = fork(join(import.meta.dirname, '..', file), { env: { ...process.env, ...env } });

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
