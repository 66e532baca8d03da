import { join } from 'node:path';
import { writePrivateFile } from '@event-api/provisioning/secret-files';
import { loopback, type Place } from './place.ts';
import { respondsWith } from './probe.ts';
import type { NativePrograms } from './programs.ts';
import type { ChildSpec } from './supervise.ts';
import { killWithParent } from './tether.ts';

/**
 * A private Redis without persistence, by default on 127.0.0.1, and its address with the password.
 * The password is in a configuration file in `folder`, because other users can read the command
 * line. `users`, an access control list, replaces the password; the address then has no login.
 */
export function redisServer(
  programs: NativePrograms<'redis-server'>,
  options: { folder: string; port: number; password: string; users?: string; place?: Place },
): { url: string; spec: ChildSpec } {
  const { folder, port, password, users, place = loopback } = options;
  const configFile = join(folder, 'redis.conf');
  const usersFile = join(folder, 'users.acl');
  if (users) writePrivateFile(usersFile, users);
  const lines = [
    `bind ${place.address}`,
    `port ${port}`,
    users ? `aclfile ${JSON.stringify(usersFile)}` : `requirepass ${password}`,
    'save ""',
    'appendonly no',
    // Redis wakes this often per second, also without a client. Nothing here depends on its
    // background work.
    'hz 1',
    'dynamic-hz no',
  ];
  writePrivateFile(configFile, `${[...lines, `dir ${JSON.stringify(folder)}`].join('\n')}\n`);
  return {
    url: `redis://${users ? '' : `:${password}@`}${place.address}:${port}`,
    spec: {
      name: 'redis',
      command: [
        ...place.enter,
        ...killWithParent('SIGKILL'),
        programs.path['redis-server'],
        configFile,
      ],
      env: programs.env,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 5000,
      startTimeoutMs: 60_000,
      isReady: () =>
        users
          ? respondsWith(port, 'PING\r\n', '-NOAUTH', place.address)
          : respondsWith(port, `AUTH ${password}\r\nPING\r\n`, '+PONG', place.address),
    },
  };
}
