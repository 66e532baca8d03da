import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** One address for several replicas. */
export interface RoundRobin {
  url: string;
  /** New connections go to this replica, too, from now on. */
  add(url: string): void;
  /** No new connection goes there any more; those that are open stay. */
  withdraw(url: string): void;
  close(): void;
}

/**
 * Shares connections out among replicas in turns, as a Kubernetes Service does: it knows connections and no requests,
 * leaves open ones where they are, whatever becomes of the replica, and passes on how each of them ends.
 */
export async function startRoundRobin(): Promise<RoundRobin> {
  const replicas: URL[] = [];
  const open = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const replica = replicas[turn++ % replicas.length];
    if (!replica) return void near.resetAndDestroy();
    const { hostname, port } = replica;
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    passOn(near, far);
    passOn(far, near);
  });

  function passOn(from: Socket, to: Socket): void {
    open.add(from);
    from.pipe(to);
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => open.delete(from));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    add: (url) => void replicas.push(new URL(url)),
    withdraw(url) {
      const at = replicas.findIndex(({ href }) => href === new URL(url).href);
      if (at !== -1) replicas.splice(at, 1);
    },
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
