import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { contentsOf } from '../secrets/contents.ts';
import { completeStore } from '../secrets/store.ts';
import { root } from './image-tree.ts';

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
    for (const part of ['container', 'reloader']) {
      expect(values[part].merge.securityContext, part).toMatchObject(restrictedContainer);
    }
    // The chart's other containers: nats-box is a pod of its own, the exporter is off by default.
    expect(values.natsBox.enabled).toBe(false);
    expect(values.promExporter?.enabled ?? false).toBe(false);
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
