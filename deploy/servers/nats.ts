import { anyFeedNotice, changeNoticeSubject } from '@event-api/contracts/messages/changes';
import { topology } from '@event-api/contracts/topology';

/** The processes that connect to NATS. */
export const busUsers = topology.filter(({ servers }) => servers.includes('nats'));

/**
 * The user that creates the stream and sets its number of replicas (deploy/compose/provision.ts).
 */
export const STREAM_ADMIN = 'provision';

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
const CREATE = '$JS.API.STREAM.CREATE.SNAPSHOTS';
const ADMINISTER = [
  '$JS.API.INFO',
  '$JS.API.STREAM.INFO.SNAPSHOTS',
  '$JS.API.STREAM.UPDATE.SNAPSHOTS',
  CREATE,
];

/** A login of NATS. `role` is the process whose permissions it has, or `STREAM_ADMIN`. */
export interface NatsLogin {
  user: string;
  password: string;
  role: string;
}

function publishableBy(role: string): string[] {
  if (role === STREAM_ADMIN) return ADMINISTER;
  const process = busUsers.find(({ name }) => name === role);
  return [
    ...(process?.publishes ? [`snapshot.${role}`, CREATE] : []),
    ...(process?.writesChanges ? [changeNoticeSubject(role)] : []),
    ...(role === 'changes' ? [anyFeedNotice] : []),
    ...READ,
  ];
}

/**
 * The part of a NATS configuration that lists the users. Each process publishes on its own subject
 * only and reads the stream; none can change, delete or purge it. NATS applies a changed list on
 * SIGHUP: it keeps the connections of unchanged users and closes those of removed ones.
 */
export function natsAuthorization(logins: readonly NatsLogin[]): string {
  const users = logins.map(({ user, password, role }) => {
    const notices = role === 'changes' ? [changeNoticeSubject('*'), anyFeedNotice] : [];
    const permissions = { publish: publishableBy(role), subscribe: ['_INBOX.>', ...notices] };
    return `    { user: ${user}, password: "${password}", permissions: ${JSON.stringify(permissions)} }`;
  });
  return ['authorization {', '  users: [', ...users, '  ]', '}', ''].join('\n');
}

/** The configuration of a single NATS server. `listen` and `storeDir` are settings of NATS. */
export const natsConfig = (options: {
  logins: readonly NatsLogin[];
  listen: string;
  storeDir: string;
}): string =>
  [
    `listen: "${options.listen}"`,
    'http: 8222',
    `jetstream { store_dir: ${JSON.stringify(options.storeDir)} }`,
    natsAuthorization(options.logins),
  ].join('\n');
