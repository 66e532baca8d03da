import { execFile, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { isAlive } from '@event-api/local-servers/data-dir-lock';
import type { Place } from '@event-api/local-servers/place';
import { HostsUnavailableError, reasonAgainstHosts } from './requirements.ts';

/** A network namespace with an address of its own. */
export interface Host extends Place {
  name: string;
}

/** Where a packet comes from: a host, or this process and the clients in it. */
export type Sender = Host | typeof outside;
export const outside = 'outside';

/** The requests for an address that no host has go to one of these hosts, as in a Kubernetes Service. */
export interface ServiceRoute {
  address: string;
  targets: readonly Host[];
}

/** How a host is connected. */
export type LinkQuality = 'good' | 'slow' | 'lossy';

/** Hosts in one subnet, and what happens to packets between them. */
export interface Network {
  hosts: readonly Host[];
  /** The subnet, with the length of its prefix. */
  subnet: string;
  /** Whether the kernel delays, duplicates and reorders packets. Otherwise it only slows and loses them. */
  hasNetem: boolean;
  /** Errors: unknown host. */
  hostNamed(name: string): Host;
  /** An address for services, which no host has. `number` is below 100. */
  serviceAddress(number: number): string;
  /** `receiver` loses all packets of `senders`, also those of open connections. */
  deafen(receiver: Host, senders: readonly Sender[]): Promise<void>;
  /** All packets arrive, over good links. */
  heal(): Promise<void>;
  /** What this host sends is delayed, or is lost in part. */
  link(host: Host, quality: LinkQuality): Promise<void>;
  /** Replaces the routes of a host. Open connections stay where they are. */
  route(host: Host, routes: readonly ServiceRoute[]): Promise<void>;
  /** Removes everything. */
  close(): void;
}

const PREFIX = 'event-api-drill-';
const namespacesFolder = '/run/netns';
const LOST_PERCENT = 4;

/** The queue of `tc` for each quality. */
const withNetem: Record<LinkQuality, string> = {
  good: 'pfifo',
  slow: 'netem delay 40ms 20ms 25%',
  lossy: `netem loss ${LOST_PERCENT}% duplicate 3% delay 5ms reorder 90% 50%`,
};
/**
 * For a kernel without netem: packets wait for a narrow link, and the firewall drops some. Nothing
 * is duplicated or reordered.
 */
const withoutNetem: Record<LinkQuality, string> = {
  good: 'pfifo',
  slow: 'tbf rate 4mbit burst 3kb latency 300ms',
  lossy: 'pfifo',
};

const namespaceOf = (host: string, pid = process.pid) => `${PREFIX}${pid}-${host}`;

/**
 * Creates a network namespace for each name, connected by a bridge in a namespace of its own. The
 * machine itself gets one interface, over which this process reaches the hosts; its firewall and
 * its routes do not change. Everything is removed by `close`, or when this process exits; what a
 * killed process has left is removed here. Errors: HostsUnavailableError; a command's output.
 */
export async function createNetwork(names: readonly string[]): Promise<Network> {
  const reason = reasonAgainstHosts();
  if (reason !== undefined) throw new HostsUnavailableError(reason);
  removeLeftovers();
  const base = freeSubnet();
  const lan = namespaceOf('lan');
  const near = `drill${process.pid}`;
  const hosts = names.map((name, index): Host & { namespace: string } => {
    const namespace = namespaceOf(name);
    return {
      name,
      namespace,
      address: `${base}.${11 + index}`,
      enter: ['nsenter', `--net=${namespacesFolder}/${namespace}`, '--'],
    };
  });
  const close = () => {
    process.off('exit', close);
    for (const name of [...hosts.map(({ namespace }) => namespace), lan]) {
      spawnSync('ip', ['netns', 'delete', name]);
    }
    // The kernel removes a namespace, and with it the other end, some time later.
    spawnSync('ip', ['link', 'delete', near]);
  };
  process.on('exit', close);
  try {
    await batch(
      [],
      [lan, ...hosts.map(({ namespace }) => namespace)].map((name) => `netns add ${name}`),
    );
    await batch(
      [],
      [
        `link add ${near} type veth peer name machine netns ${lan}`,
        `address add ${base}.1/24 dev ${near}`,
        `link set ${near} up`,
      ],
    );
    await batch(
      ['-n', lan],
      [
        'link add lan type bridge',
        'link set lan up',
        'link set machine master lan up',
        ...hosts.flatMap(({ name, namespace }) => [
          `link add ${name} type veth peer name eth0 netns ${namespace}`,
          `link set ${name} master lan up`,
        ]),
      ],
    );
    // The firewall of the bridge would track connections that this drill cuts in one direction.
    await run('ip', [
      'netns',
      'exec',
      lan,
      'sh',
      '-c',
      'for f in /proc/sys/net/bridge/bridge-nf-call-*; do [ ! -e $f ] || echo 0 > $f; done',
    ]);
    for (const { namespace, address, enter } of hosts) {
      await batch(
        ['-n', namespace],
        [`address add ${address}/24 dev eth0`, 'link set lo up', 'link set eth0 up'],
      );
      await run([...enter, 'nft', '-f', '-'], [], ruleset);
    }
  } catch (error) {
    close();
    throw error;
  }
  const [first] = hosts;
  const hasNetem = first !== undefined && (await canUseNetem(first));
  const addressOf = (sender: Sender) => (sender === outside ? `${base}.1` : sender.address);
  const nft = (host: Host, lines: readonly string[]) =>
    run([...host.enter, 'nft', '-f', '-'], [], lines.join('\n'));
  const link: Network['link'] = async (host, quality) => {
    await nft(host, [
      'flush chain ip drill send',
      ...(quality === 'lossy' && !hasNetem
        ? [`add rule ip drill send oifname eth0 numgen random mod 100 < ${LOST_PERCENT} drop`]
        : []),
    ]);
    await setQueue(host, (hasNetem ? withNetem : withoutNetem)[quality]);
  };
  return {
    hosts,
    subnet: `${base}.0/24`,
    hasNetem,
    hostNamed(name) {
      const found = hosts.find((host) => host.name === name);
      if (!found) throw new Error(`there is no host ${name}`);
      return found;
    },
    serviceAddress: (number) => `${base}.${101 + number}`,
    async deafen(receiver, senders) {
      if (senders.length === 0) return;
      const addresses = senders.map(addressOf).join(', ');
      await nft(receiver, [`add element ip drill unheard { ${addresses} }`]);
    },
    async heal() {
      await Promise.all(
        hosts.map(async (host) => {
          await nft(host, ['flush set ip drill unheard']);
          await link(host, 'good');
        }),
      );
    },
    link,
    route: (host, routes) => nft(host, ['flush chain ip drill call', ...routes.map(routeRule)]),
    close,
  };
}

const ruleset = `table ip drill {
  set unheard { type ipv4_addr; }
  chain hear { type filter hook prerouting priority -300; ip saddr @unheard drop; }
  chain send { type filter hook output priority 300; }
  chain call { type nat hook output priority -100; }
}`;

/** A service without targets does not respond. */
function routeRule({ address, targets }: ServiceRoute): string {
  const to = targets.map((target, index) => `${index} : ${target.address}`).join(', ');
  const choice =
    targets.length === 0 ? 'drop' : `dnat to numgen random mod ${targets.length} map { ${to} }`;
  return `add rule ip drill call ip daddr ${address} ${choice}`;
}

const setQueue = ({ enter }: Host, queue: string) =>
  run([...enter, 'tc'], ['qdisc', 'replace', 'dev', 'eth0', 'root', ...queue.split(' ')]);

const canUseNetem = (host: Host): Promise<boolean> =>
  setQueue(host, withNetem.slow).then(
    async () => {
      await setQueue(host, withNetem.good);
      return true;
    },
    () => false,
  );

/** Removes the namespaces of drills that were killed. */
function removeLeftovers(): void {
  for (const name of listFolder(namespacesFolder)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) spawnSync('ip', ['netns', 'delete', name]);
  }
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The first three bytes of a private subnet of which this machine has no address. */
function freeSubnet(): string {
  const used = Object.values(networkInterfaces())
    .flat()
    .map((each) => each?.address ?? '');
  for (;;) {
    const base = `10.${randomInt(128, 256)}.${randomInt(256)}`;
    if (!used.some((address) => address.startsWith(`${base}.`))) return base;
  }
}

const batch = (options: readonly string[], lines: readonly string[]) =>
  run('ip', [...options, '-batch', '-'], `${lines.join('\n')}\n`);

/** Errors: the command fails, with its output. */
function run(
  command: string | readonly string[],
  args: readonly string[],
  input = '',
): Promise<void> {
  const [program = '', ...words] = typeof command === 'string' ? [command] : command;
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...words, ...args], (error, _stdout, stderr) => {
      if (error)
        reject(new Error(`${[program, ...words, ...args].join(' ')}: ${stderr || error.message}`));
      else resolve();
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
