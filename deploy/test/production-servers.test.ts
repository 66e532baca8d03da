import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { renderFolder } from '../kubernetes/render.ts';
import { contentsOf } from '../secrets/contents.ts';
import { completeStore } from '../secrets/store.ts';
import { root } from './image-tree.ts';
import { type Manifest, manifestsOf, parseManifests } from './manifests.ts';

const load = (file: string) => parse(readFileSync(join(root, file), 'utf8'), { merge: true });

const restrictedContainer = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
};
const restrictedPod = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const secrets = contentsOf(completeStore(undefined));

describe('the values of the NATS chart', () => {
  const values = load('deploy/kubernetes/servers/nats-values.yaml');

  test('run every container in the restricted profile', () => {
    expect(values.podTemplate.merge.spec.securityContext).toMatchObject(restrictedPod);
    for (const part of ['container', 'reloader', 'promExporter']) {
      expect(values[part].merge.securityContext, part).toMatchObject(restrictedContainer);
    }
    // The chart's other container: nats-box is a pod of its own.
    expect(values.natsBox.enabled).toBe(false);
    expect(values.promExporter.enabled).toBe(true);
  });

  test('run as many servers as the stream has replicas', () => {
    const job = readFileSync(join(root, 'deploy/kubernetes/base/shared/provision.yaml'), 'utf8');
    const [, replicas] = /name: STREAM_REPLICAS, value: "(\d)"/.exec(job) ?? [];
    expect(values.config.cluster).toEqual({ enabled: true, replicas: Number(replicas) });
    expect(values.config.jetstream.enabled).toBe(true);
  });

  test('include the users of the Secret that the secrets command prints', () => {
    const [{ value: mount }] = values.container.patch;
    const [{ value: volume }] = values.podTemplate.patch;
    expect(mount.name).toBe(volume.name);
    const [{ key, path }] = volume.secret.items;
    expect(values.config.merge['00$include']).toBe(`..${mount.mountPath.slice(4)}/${path}`);
    expect(volume.secret.secretName).toBe('event-api-nats');
    expect(secrets.nats?.files[key]).toContain('user: catalog');
    // The reloader watches the mounts below this folder.
    expect(mount.mountPath).toMatch(/^\/etc\//);
  });

  test('have the label that the network policies select', () => {
    expect(values.podTemplate.merge.metadata.labels).toEqual({ 'event-api/server': 'nats' });
  });
});

describe('the operator pod', () => {
  const { metadata, spec } = load('deploy/kubernetes/operator/pod.yaml');

  test('runs in the restricted profile, for an hour at most', () => {
    expect(spec.securityContext).toMatchObject(restrictedPod);
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.activeDeadlineSeconds).toBeLessThanOrEqual(3600);
    for (const { securityContext } of spec.containers) {
      expect(securityContext).toEqual({ ...restrictedContainer, readOnlyRootFilesystem: true });
    }
  });

  test('has the role that the network policies select, and the key of operators alone', () => {
    expect(metadata.labels['event-api/role']).toBe('operator');
    const used = spec.volumes.flatMap((volume: { secret?: { secretName: string } }) =>
      volume.secret ? [volume.secret.secretName] : [],
    );
    expect(used).toEqual(['event-api-admin']);
    const files = Object.keys(secrets.admin?.files ?? {});
    expect(files.toSorted()).toEqual(['caller-keys.json', 'platform.json']);
  });
});

describe('the settings of a site', () => {
  const { data } = load('deploy/kubernetes/overlays/production/gateway/site.yaml');
  const consoleSite = load('deploy/kubernetes/overlays/production/console/console-site.yaml');
  const named = ({ metadata: { name, namespace } }: Manifest) => ({ name, namespace });

  test('are the host of the route and the trusted proxies of the gateway', () => {
    const manifests = manifestsOf('production');
    const of = (kind: string, name: string) =>
      manifests.find((each) => each.kind === kind && each.metadata.name === name)?.spec;
    const env = of('Deployment', 'gateway')?.template?.spec.containers[0]?.env;
    expect(env).toContainEqual({ name: 'TRUST_PROXY', value: data.trustProxy });
    expect(of('HTTPRoute', 'api')).toMatchObject({ hostnames: [data.host] });
    expect(manifests.filter(({ kind }) => kind === 'ConfigMap')).toEqual([]);
  });

  test.each([
    ['gateway', data.host],
    ['console', consoleSite.data.host],
  ])('apply with an Ingress, too, which replaces the route of %s', (name, host) => {
    const folder = mkdtempSync(join(tmpdir(), 'event-api-ingress-'));
    cpSync(join(root, 'deploy/kubernetes'), folder, { recursive: true });
    const service = join(folder, 'overlays/production', name);
    const file = join(service, 'kustomization.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('# - ../../../comp', '- ../../../comp'));
    const rendered = renderFolder(service);
    rmSync(folder, { recursive: true });
    // Neither kubectl nor kustomize is installed.
    if (rendered === undefined) return;
    const manifests = parseManifests(rendered);
    const specsOf = (kind: string): unknown[] =>
      manifests.filter((each: Manifest) => each.kind === kind).map(({ spec }) => spec);
    expect(specsOf('HTTPRoute')).toEqual([]);
    const backend = { service: { name, port: { name: 'api' } } };
    expect(specsOf('Ingress')).toMatchObject([
      { rules: [{ host, http: { paths: [{ backend }] } }], tls: [{ hosts: [host] }] },
    ]);
    expect(JSON.stringify(specsOf('NetworkPolicy'))).not.toContain('envoy-gateway-system');
  });

  test('are the hosts of the Gateway, which lets the routes of this namespace in', () => {
    const [, gateway] = parseAllDocuments(
      readFileSync(join(root, 'deploy/kubernetes/servers/gateway.yaml'), 'utf8'),
    ).map((document) => document.toJS());
    const { listeners } = gateway.spec;
    const found = listeners.map((each: { name: string; hostname: string }) => [
      each.name,
      each.hostname,
    ]);
    expect(found).toEqual([
      ['api', data.host],
      ['console', consoleSite.data.host],
    ]);
    const routes = manifestsOf('production').filter(({ kind }) => kind === 'HTTPRoute');
    expect(routes.map(({ metadata, spec }) => ({ ...metadata, ...spec }))).toMatchObject(
      listeners
        .map(({ name }: { name: string }) => ({
          namespace: 'event-api',
          parentRefs: [{ ...named(gateway), sectionName: name }],
        }))
        .toReversed(),
    );
  });
});
