import { topology } from '@event-api/contracts/topology';

/** The processes that connect to NATS. */
export const busUsers = topology.filter(({ servers }) => servers.includes('nats'));

/** JetStream API subjects for reading: stream information, single messages, and consumers. */
const READ = [
  '$JS.API.INFO',
  '$JS.API.STREAM.INFO.SNAPSHOTS',
  '$JS.API.STREAM.MSG.GET.SNAPSHOTS',
  '$JS.API.DIRECT.GET.SNAPSHOTS',
  '$JS.API.DIRECT.GET.SNAPSHOTS.>',
  '$JS.API.CONSUMER.CREATE.SNAPSHOTS.>',
  '$JS.API.CONSUMER.INFO.SNAPSHOTS.>',
  '$JS.API.CONSUMER.DELETE.SNAPSHOTS.>',
  '$JS.API.CONSUMER.MSG.NEXT.SNAPSHOTS.>',
  '$JS.ACK.SNAPSHOTS.>',
  '$JS.FC.SNAPSHOTS.>',
];

/**
 * A NATS configuration with one user for each of these processes. Each publishes on its own subject only, all read the stream, and
 * none can delete or purge it. `listen` and `storeDir` are settings of NATS.
 */
export function natsConfig(options: {
  passwords: Record<string, string>;
  listen: string;
  storeDir: string;
}): string {
  const users = busUsers.map(({ name, publishes }) => {
    const own = publishes ? [`snapshot.${name}`, '$JS.API.STREAM.CREATE.SNAPSHOTS'] : [];
    const permissions = { publish: [...own, ...READ], subscribe: ['_INBOX.>'] };
    return `    { user: ${name}, password: "${options.passwords[name]}", permissions: ${JSON.stringify(permissions)} }`;
  });
  return [
    `listen: "${options.listen}"`,
    'http: 8222',
    `jetstream { store_dir: ${JSON.stringify(options.storeDir)} }`,
    'authorization {',
    '  users: [',
    users.join('\n'),
    '  ]',
    '}',
    '',
  ].join('\n');
}
