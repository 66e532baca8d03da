import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Forwards connections to a server, and can simulate that the server is unavailable. */
export async function startTcpProxy(targetUrl: string) {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (chunk) => other.write(chunk));
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (isStalled) socket.pause();
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${port}`;
  const cut = () =>
    new Promise<void>((resolve) => {
      if (server.listening) server.close(() => resolve());
      else resolve();
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: url.href,
    /** Closes every connection and rejects new ones. */
    cut,
    /** Accepts connections again. */
    open: () => listen(port),
    /** Accepts connections and forwards nothing. */
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    /**
     * Forwards nothing on open connections, which stay open, and forwards new ones: the server has
     * moved, and nobody has told its clients.
     */
    abandon() {
      for (const socket of sockets) {
        socket.removeAllListeners('data');
        socket.pause();
      }
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    close: cut,
  };
}
