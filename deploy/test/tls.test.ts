import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topology } from '@event-api/contracts/topology';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { renderFolder } from '../kubernetes/render.ts';
import { contentsOf } from '../secrets/contents.ts';
import { completeStore } from '../secrets/store.ts';
import { root } from './image-tree.ts';
import { type Manifest, nameOf, type PodSpec, parseManifests } from './manifests.ts';

const kubernetes = join(root, 'deploy/kubernetes');
const read = (file: string) => readFileSync(join(kubernetes, file), 'utf8');
const readme = readFileSync(join(root, 'deploy/README.md'), 'utf8');

/** The addresses with TLS of the README. */
const [, postgres = '', nats = '', redis = ''] =
  /secrets -- create --postgres '(\S+sslmode\S+)' --nats '(\S+)' --redis '(\S+)'/.exec(readme) ??
  [];
const store = completeStore(undefined, {
  addresses: { postgres, nats, redis },
  paymentProvider: 'sandbox',
});

/** The files of authorities that the settings of a Secret name. */
const authoritiesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?:sslrootcert|ca)=([^&"\\\s]+)/g)].map(([, file = '']) => file)),
];

/**
 * The files that the first container of a pod can read from the projected volumes that it mounts.
 */
function mountedFiles({ volumes = [], containers: [container] }: PodSpec): string[] {
  return (container?.volumeMounts ?? []).flatMap(({ name, mountPath }) => {
    const sources = volumes.find((volume) => volume.name === name)?.projected?.sources ?? [];
    return sources.flatMap(({ secret }) => secret.items.map(({ path }) => `${mountPath}/${path}`));
  });
}

const componentFiles = ['every-process', 'every-job', 'operator'];
const ofComponent = (file: string): PodSpec => {
  const { spec } = parse(read(`components/tls/${file}.yaml`));
  return spec.template?.spec ?? spec;
};

describe('the component for TLS', () => {
  test.each(componentFiles)('mounts the authorities of all servers, and no key: %s', (file) => {
    const pod = ofComponent(file);
    const files = [postgres, nats, redis].flatMap(authoritiesIn);
    expect(files).toHaveLength(3);
    expect(mountedFiles(pod)).toEqual(files);
    const keys = pod.volumes?.flatMap(({ projected }) =>
      projected?.sources.flatMap(({ secret }) => secret.items.map(({ key }) => key)),
    );
    expect(new Set(keys)).toEqual(new Set(['ca.crt']));
  });

  test('is switched on in one line, which every folder of the overlay includes', () => {
    expect(read('overlays/production/site/kustomization.yaml')).toContain(
      '\n# components: [../../../components/tls]\n',
    );
    for (const folder of [...topology.map(({ name }) => name), 'operator', 'shared', 'servers'])
      expect(parse(read(`overlays/production/${folder}/kustomization.yaml`)).components).toContain(
        '../site',
      );
  });
});

describe('with the component, the rendered manifests', () => {
  const copy = mkdtempSync(join(tmpdir(), 'event-api-tls-overlay-'));
  cpSync(kubernetes, copy, { recursive: true });
  const uncomment = (file: string, from: string, to: string) => {
    const path = join(copy, 'overlays/production', file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  };
  uncomment('site/kustomization.yaml', '\n# components:', '\ncomponents:');
  const tlsRequired = '- ../../../components/tls-required';
  uncomment('servers/kustomization.yaml', `# ${tlsRequired}`, tlsRequired);
  afterAll(() => rmSync(copy, { recursive: true }));

  /** Undefined if neither kubectl nor kustomize is installed. */
  const rendered = (folder: string): Manifest[] | undefined => {
    const text = renderFolder(join(copy, 'overlays', folder));
    return text === undefined ? undefined : parseManifests(text);
  };
  const podOf = ({ kind, spec }: Manifest): PodSpec | undefined =>
    kind === 'Pod' ? (spec as unknown as PodSpec) : spec?.template?.spec;

  test.each([
    'production',
    ...topology.map(({ name }) => `production/${name}`),
    'production/operator',
  ])('of %s mount every authority that a setting names', (folder) => {
    const manifests = rendered(folder);
    if (manifests === undefined) return;
    const pods = manifests.filter((each) => podOf(each)?.containers);
    const secretsOf = (pod: PodSpec) => [
      ...pod.containers.flatMap(({ env = [] }) =>
        env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
      ),
      ...(pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
    ];
    const contents: Record<string, object> = contentsOf(store);
    for (const each of pods) {
      const pod = podOf(each) as PodSpec;
      const readers = secretsOf(pod).map((name) => name.replace('event-api-', ''));
      const named = authoritiesIn(JSON.stringify(readers.map((reader) => contents[reader])));
      expect(named.length, nameOf(each)).toBeGreaterThan(0);
      expect(mountedFiles(pod), nameOf(each)).toEqual(expect.arrayContaining(named));
      expect(mountedFiles(pod), nameOf(each)).toHaveLength(3);
    }
    // A service: the process and its migration. All of them, and the provisioning.
    expect(pods).toHaveLength(
      folder === 'production' ? topology.length * 2 + 1 : folder.endsWith('operator') ? 1 : 2,
    );
  });

  test('let PostgreSQL use its certificate and reject connections without TLS', () => {
    const cluster = rendered('production')?.find(({ kind }) => kind === 'Cluster');
    if (cluster === undefined) return;
    expect(cluster.spec).toMatchObject({
      certificates: { serverTLSSecret: 'postgres-tls', serverCASecret: 'postgres-tls' },
      postgresql: { pg_hba: ['hostnossl all all all reject'] },
    });
  });
});

describe('the certificates', () => {
  const certificates = parseAllDocuments(read('servers/certificates.yaml'))
    .map((document) => document.toJS())
    .filter(({ kind, spec }) => kind === 'Certificate' && !spec.isCA);

  test('are for the hosts of the addresses, in the Secrets that the component mounts', () => {
    const issued = certificates.map(({ spec }) => [spec.secretName, spec.dnsNames[0]]);
    const secrets = ofComponent('every-process').volumes?.flatMap(
      ({ projected }) => projected?.sources.map(({ secret }) => secret.name) ?? [],
    );
    const hosts = [postgres, nats, redis].map((address) => new URL(address).hostname);
    expect(issued).toEqual(hosts.map((host, index) => [secrets?.[index], host]));
  });

  test('of PostgreSQL are also for the servers of one process', () => {
    const { spec } = certificates.find(({ metadata }) => metadata.name === 'postgres');
    for (const { name } of topology)
      for (const end of ['', '.event-api', '.event-api.svc'])
        expect(spec.dnsNames).toContain(`postgres-${name}-rw${end}`);
  });

  test('of NATS are the ones that its servers use, for clients and for each other', () => {
    const { config } = parse(read('servers/nats-tls-values.yaml'));
    expect(config.nats.tls).toEqual({ enabled: true, secretName: 'nats-tls' });
    expect(config.cluster.tls).toMatchObject({ enabled: true, secretName: 'nats-tls' });
    expect(config.cluster.tls.merge.ca_file).toMatch(/^\/etc\/nats-certs\/cluster\/ca\.crt$/);
    const { spec } = certificates.find(({ metadata }) => metadata.name === 'nats');
    expect(spec.usages).toEqual(['server auth', 'client auth']);
    expect(spec.dnsNames).toContain('*.nats-headless');
  });
});
