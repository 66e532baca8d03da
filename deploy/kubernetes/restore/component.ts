import type { RenderedServer } from './servers.ts';

/** A server that is to be made from the backups of another one. */
export interface Restore {
  server: RenderedServer;
  /** The name of the new server, and of its folder in the object store. */
  name: string;
  /** The folder of the object store with the backups and the log that it is made from. */
  archive: string;
  /** Everything that was committed until then; everything in the archive if undefined. */
  to: Date | undefined;
}

/** The Secret with the certificate of a restored server. */
const certificateOf = (name: string): string => `${name}-tls`;

/**
 * The files of a Kustomize component that turns the server of an overlay into a new one from a
 * backup, by name. CloudNativePG restores into a new Cluster only. The new one archives into a
 * folder of its own, because it refuses one that contains the log of another server.
 */
export function filesOf(restore: Restore): Record<string, string> {
  const { name, server } = restore;
  return {
    'kustomization.yaml': kustomizationOf(restore),
    ...(server.hasCertificate && { 'certificate.yaml': certificate(name) }),
  };
}

/** A value of YAML as JSON, which YAML contains. */
const value = (content: unknown): string => JSON.stringify(content);

function kustomizationOf({ server, name, archive, to }: Restore): string {
  const { baseName, objectStore, process, hasCertificate } = server;
  const until = to === undefined ? 'to the end of the log' : `as of ${to.toISOString()}`;
  const recovery = {
    source: archive,
    ...(to && { recoveryTarget: { targetTime: to.toISOString() } }),
  };
  const plugin = {
    name: 'barman-cloud.cloudnative-pg.io',
    parameters: { barmanObjectName: objectStore, serverName: archive },
  };
  const cluster: [operation: 'add' | 'replace', path: string, content: unknown][] = [
    ['replace', '/metadata/name', name],
    [
      'replace',
      '/spec/topologySpreadConstraints/0/labelSelector/matchLabels/cnpg.io~1cluster',
      name,
    ],
    ['add', '/spec/bootstrap', { recovery }],
    ['add', '/spec/externalClusters', [{ name: archive, plugin }]],
    ['add', '/spec/plugins/0/parameters/serverName', name],
  ];
  for (const field of hasCertificate ? ['serverTLSSecret', 'serverCASecret'] : [])
    cluster.push(['replace', `/spec/certificates/${field}`, certificateOf(name)]);
  const backup = process === undefined ? 'nightly' : `nightly-${process}`;
  const lines = (operations: typeof cluster) =>
    operations.map(
      ([operation, path, content]) =>
        `      - { op: ${operation}, path: ${value(path)}, value: ${value(content)} }`,
    );
  return [
    `# ${name}, from the backups of ${archive}, ${until}. Written by npm run restore (docs/runbook.md).`,
    'apiVersion: kustomize.config.k8s.io/v1alpha1',
    'kind: Component',
    ...(hasCertificate ? ['resources: [certificate.yaml]'] : []),
    'patches:',
    `  - target: { kind: Cluster, name: ${baseName} }`,
    '    patch: |',
    ...lines(cluster),
    '  # A new name takes the first backup of the new server at once.',
    `  - target: { kind: ScheduledBackup, name: ${backup} }`,
    '    patch: |',
    ...lines([
      ['replace', '/metadata/name', name.replace(/^postgres/, 'nightly')],
      ['replace', '/spec/cluster/name', name],
    ]),
    '',
  ].join('\n');
}

/** Clients verify the name of the server that they connect to. */
const certificate = (
  name: string,
): string => `# The authority is that of servers/certificates.yaml, which processes mount. PostgreSQL reads a renewed certificate because of
# the label.
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: ${name}
spec:
  secretName: ${certificateOf(name)}
  secretTemplate:
    labels: { cnpg.io/reload: "" }
  usages: [server auth]
  dnsNames: [${name}-rw, ${name}-rw.event-api, ${name}-rw.event-api.svc]
  privateKey: { algorithm: ECDSA, size: 256 }
  issuerRef: { name: event-api-authority, kind: Issuer }
`;

/** The component of all restored servers, each in a folder of its name before the restore. */
export const listOf = (baseNames: readonly string[]): string =>
  [
    '# The PostgreSQL servers that were made from a backup, each in the folder of its first name (docs/runbook.md).',
    'apiVersion: kustomize.config.k8s.io/v1alpha1',
    'kind: Component',
    `components: [${baseNames.join(', ')}]`,
    '',
  ].join('\n');
