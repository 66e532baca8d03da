import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port of this machine that leads to a server which moves. */
export interface Forwarder {
  port: number;
  /** Closes the connections to a server that is not the current one any more. */
  follow(): void;
  close(): void;
}

/** Listens on 127.0.0.1 and forwards each connection to what `target` returns at that moment. */
export async function startForwarder(target: () => URL): Promise<Forwarder> {
  const open = new Map<Socket, string>();
  const server = createServer((near) => {
    const { host, hostname, port } = target();
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.set(from, host);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (isEnded: (host: string) => boolean) => {
    for (const [socket, host] of open) if (isEnded(host)) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    follow: () => end((host) => host !== target().host),
    close() {
      server.close();
      end(() => true);
    },
  };
}
