import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The TCP connections of the network namespace, one per line. Only Linux has these files. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

// sl: local remote state SEND_QUEUE:receive_queue timer retransmits uid timeout INODE
const row = /^ *\d+: \S+ \S+ \S+ ([0-9A-F]+):\S+ \S+ \S+ +\d+ +\d+ (\d+) /gm;

/**
 * Reads for each connection how many bytes the kernel has accepted and the client has not
 * acknowledged. Never throws: a connection for which this is unknown is missing.
 */
export async function readSendQueues(sockets: readonly Socket[]): Promise<Map<Socket, number>> {
  const byInode = new Map(sockets.map((socket) => [inodeOf(socket), socket]));
  const queues = new Map<Socket, number>();
  for (const table of tables) {
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const [, queue = '', inode = ''] of text.matchAll(row)) {
      const socket = byInode.get(inode);
      if (socket) queues.set(socket, Number.parseInt(queue, 16));
    }
  }
  return queues;
}

/**
 * The number by which the kernel identifies a socket. Node exposes the descriptor on the handle
 * only.
 */
function inodeOf(socket: Socket): string | undefined {
  const { fd } = (socket as { _handle?: { fd?: number } })._handle ?? {};
  if (fd === undefined) return undefined;
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1];
  } catch {
    return undefined;
  }
}
