import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Stands before a server, passes everything on, and can take the server away from those behind it. */
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
    /** Breaks every connection and refuses new ones. */
    cut,
    /** Takes connections again. */
    open: () => listen(port),
    /** Takes connections, and lets them hang. */
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    close: cut,
  };
}
