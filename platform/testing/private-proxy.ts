import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { respondsWith } from '@event-api/local-servers/probe';
import { findPrograms } from '@event-api/local-servers/programs';
import { createPrivateServer } from './private-server.ts';

export type ProxyName = 'haproxy' | 'nginx';

/** Folders of nginx, which an installation has below `/var/lib/nginx`. */
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const commands: Record<ProxyName, (program: string, folder: string, file: string) => string[]> = {
  haproxy: (program, _folder, file) => [program, '-db', '-q', '-f', file],
  nginx: (program, folder, file) => [
    ...[program, '-p', folder, '-e', 'stderr', '-c', file],
    ...['-g', 'daemon off; master_process off; pid nginx.pid;'],
  ],
};

/**
 * A proxy of one test on loopback, with the configuration that `write` returns for the address at
 * which it listens.
 */
export async function startPrivateProxy(
  name: ProxyName,
  write: (address: string) => string,
  chosenPort?: number,
) {
  const folder = mkdtempSync(join(tmpdir(), `event-api-${name}-`));
  const toolchain = join(import.meta.dirname, '../../.toolchain');
  const { path, env } = await findPrograms([name], toolchain, () => {});
  const port = chosenPort ?? (await freePort());
  const file = join(folder, 'proxy.conf');
  const folders = temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join('\n');
  const text = write(`127.0.0.1:${port}`);
  writeFileSync(file, name === 'nginx' ? text.replace('http {', `http {\n${folders}`) : text);
  const server = createPrivateServer({
    name,
    command: commands[name](path[name], folder, file),
    env,
    stopSignal: 'SIGKILL',
    stopTimeoutMs: 5000,
    startTimeoutMs: 60_000,
    isReady: () => respondsWith(port, 'GET / HTTP/1.1\r\nHost: proxy\r\n\r\n', 'HTTP/1.1'),
  });
  await server.start();
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PrivateProxy = Awaited<ReturnType<typeof startPrivateProxy>>;
