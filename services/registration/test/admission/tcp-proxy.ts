import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a service and PostgreSQL that can cut a connection at its next COMMIT. */
export interface CutProxy {
  /** Returns the database URL with the address of the proxy. */
  urlOf(databaseUrl: string): string;
  /** Cuts before the server receives the COMMIT, or after, so that its acknowledgement is lost. */
  cutAtCommit(when: 'before' | 'after'): void;
  close(): Promise<void>;
}

export async function startCutProxy(target: URL): Promise<CutProxy> {
  let cutting: 'before' | 'after' | null = null;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isCut = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    client.on('data', (bytes) => {
      if (!cutting || !/commit/i.test(bytes.toString('latin1'))) return void upstream.write(bytes);
      isCut = true;
      if (cutting === 'after') upstream.write(bytes);
      else client.destroy();
      cutting = null;
    });
    upstream.on('data', (bytes) => {
      // The first data after a COMMIT is its acknowledgement.
      if (isCut) client.destroy();
      else client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.hostname = '127.0.0.1';
      url.port = String((server.address() as AddressInfo).port);
      return url.href;
    },
    cutAtCommit(when) {
      cutting = when;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
