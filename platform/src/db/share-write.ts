import type { Writable } from 'node:stream';

/**
 * Sends what is written in this turn of the event loop with one write to the socket: `begin` with
 * the first statement of a transaction, statements that do not await each other, and the last ones
 * with `commit`. Each write is a system call, and may wake the process of the server.
 */
export function shareWrite(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  // Runs when the promises that are settled by now have continued.
  process.nextTick(uncork, stream);
}

const uncork = (stream: Writable): void => stream.uncork();
