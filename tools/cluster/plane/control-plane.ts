import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@event-api/local-servers/ports';
import { waitUntil } from '@event-api/local-servers/probe';
import type { Progress } from '../../terminal/progress.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';
import { nodeSettings, nodes } from './nodes.ts';
import type { ClusterPrograms } from './programs.ts';
import { type Server, startServer } from './server.ts';

const START_TIMEOUT_MS = 180_000;
/** The namespace of the platform, in which kubectl runs. */
export const NAMESPACE = 'event-api';

/** A control plane on this machine, and nodes that only say that they run their pods. */
export interface Cluster {
  kubectl: Kubectl;
  /** What `kubectl logs` prints of every pod. */
  logFile: string;
  /** Ends all programs, by their ids, in the reverse order of their start. */
  stop(): Promise<void>;
}

/**
 * Starts etcd, the API server, the controllers, the scheduler and the nodes in `folder`, and
 * resolves when the nodes are ready. All ports are of the loopback interface.
 * Errors: a program that ended or is not ready in time, with the end of its log.
 */
export async function startCluster(
  programs: ClusterPrograms,
  folder: string,
  progress: Progress,
): Promise<Cluster> {
  const servers: Server[] = [];
  const stop = async () => {
    for (const server of servers.splice(0).toReversed()) await server.stop();
  };
  const start = async (name: string, command: readonly string[]) => {
    const server = startServer(name, command, join(folder, `${name}.log`));
    servers.push(server);
    return server;
  };
  try {
    return await progress.during('starting the control plane', () =>
      startAll(programs, folder, { start, stop }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll(
  programs: ClusterPrograms,
  folder: string,
  {
    start,
    stop,
  }: { start: (name: string, command: readonly string[]) => Promise<Server> } & Pick<
    Cluster,
    'stop'
  >,
): Promise<Cluster> {
  const [etcdPort, peerPort] = [await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  await start('etcd', [
    programs.etcd,
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    // What the proofs store may be lost with the machine.
    '--unsafe-no-fsync',
  ]);

  const port = await freePort();
  const files = writeCredentials(folder, port);
  const apiServer = await start('kube-apiserver', [
    programs.apiServer,
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    `--service-account-key-file=${files.publicKey}`,
    `--service-account-signing-key-file=${files.privateKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.96.0.0/16',
    // The address of the API server is no endpoint that a pod could use.
    '--endpoint-reconciler-type=none',
    '--kubelet-preferred-address-types=InternalIP',
  ]);
  const kubectl = createKubectl(programs.kubectl, files.kubeconfig);
  const isReady = async () => (await kubectl.try(['get', '--raw', '/readyz'])).status === 0;
  await expectIn(isReady, apiServer);

  const local = [`--kubeconfig=${files.kubeconfig}`, '--leader-elect=false'];
  const controllerManager = await start('kube-controller-manager', [
    programs.controllerManager,
    ...local,
    '--bind-address=127.0.0.1',
    `--secure-port=${await freePort()}`,
    `--service-account-private-key-file=${files.privateKey}`,
  ]);
  const scheduler = await start('kube-scheduler', [
    programs.scheduler,
    ...local,
    '--bind-address=127.0.0.1',
    `--secure-port=${await freePort()}`,
  ]);

  const kubeletPort = await freePort();
  const logFile = join(folder, 'pods.log');
  writeFileSync(logFile, '');
  const settings = join(folder, 'kwok.yaml');
  writeFileSync(settings, nodeSettings({ logFile }));
  const kwok = await start('kwok', [
    programs.kwok,
    `--kubeconfig=${files.kubeconfig}`,
    `--config=${settings}`,
    '--manage-all-nodes=true',
    '--node-ip=127.0.0.1',
    `--node-port=${kubeletPort}`,
    `--server-address=127.0.0.1:${kubeletPort}`,
    `--tls-cert-file=${join(folder, 'apiserver.crt')}`,
    `--tls-private-key-file=${join(folder, 'apiserver.key')}`,
    '--node-lease-duration-seconds=40',
  ]);
  await kubectl.run(['apply', '-f', '-'], JSON.stringify(nodes));
  const areNodesReady = async () => {
    const found = await kubectl.get<{
      items: { status: { conditions?: { type: string; status: string }[] } }[];
    }>(['nodes']);
    return found.items.every(({ status }) =>
      status.conditions?.some((each) => each.type === 'Ready' && each.status === 'True'),
    );
  };
  await expectIn(areNodesReady, kwok, controllerManager, scheduler);
  return { kubectl, logFile, stop };
}

/** Waits until `isReady`. Errors: one of the servers ended, or the time is over. */
async function expectIn(isReady: () => Promise<boolean>, ...servers: Server[]): Promise<void> {
  const ended = () => servers.find((server) => server.hasEnded());
  const isDecided = async () => ended() !== undefined || (await isReady());
  const isInTime = await waitUntil(isDecided, START_TIMEOUT_MS);
  const broken = ended() ?? (isInTime ? undefined : servers[0]);
  if (broken) throw new Error(`${broken.name} does not work\n${broken.endOfLog()}`);
}

/** The keys of service accounts, and the token of the administrator. */
function writeCredentials(folder: string, port: number) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const token = randomBytes(16).toString('hex');
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [
      {
        name: 'test',
        // The API server generates its certificate at its start.
        cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
      },
    ],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin', namespace: NAMESPACE } }],
  };
  const contents = {
    publicKey,
    privateKey,
    tokens: `${token},admin,admin,system:masters\n`,
    kubeconfig: JSON.stringify(kubeconfig),
  };
  mkdirSync(folder, { recursive: true });
  const write = (name: keyof typeof contents) => {
    const file = join(folder, name);
    writeFileSync(file, contents[name], { mode: 0o600 });
    return file;
  };
  return {
    publicKey: write('publicKey'),
    privateKey: write('privateKey'),
    tokens: write('tokens'),
    kubeconfig: write('kubeconfig'),
  };
}
