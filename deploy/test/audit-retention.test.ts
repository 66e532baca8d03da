import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { renderFolder } from '../kubernetes/render.ts';
import { root } from './image-tree.ts';
import { type Manifest, type PodSpec, parseManifests } from './manifests.ts';

const kubernetes = join(root, 'deploy/kubernetes');

/** A CronJob: its template is a Job without a name. */
type CronJob = Manifest & { spec: { jobTemplate: { spec: { template: { spec: PodSpec } } } } };

const cronJob: CronJob = parse(
  readFileSync(join(kubernetes, 'components/audit-retention/cron-job.yaml'), 'utf8'),
);

describe('the CronJob of the audit retention', () => {
  test('is as restricted as those of the migrations', () => {
    const hardened = parse(
      readFileSync(join(kubernetes, 'components/hardened/every-job.yaml'), 'utf8'),
    );
    const expected = hardened.spec.template.spec;
    const { template } = cronJob.spec.jobTemplate.spec;
    const { containers, volumes = [], ...pod } = template.spec;
    const { containers: expectedContainers, volumes: expectedVolumes, ...expectedPod } = expected;
    expect(pod).toEqual(expectedPod);
    expect(volumes).toEqual(expect.arrayContaining(expectedVolumes));
    const { securityContext, resources } = expectedContainers[0];
    expect(containers).toMatchObject([{ securityContext, resources }]);
  });

  test('runs the command with the address of the owner, which nothing else of it can reach', () => {
    const { template } = cronJob.spec.jobTemplate.spec;
    const [container] = template.spec.containers;
    expect(existsSync(join(root, container?.command?.[1] ?? ''))).toBe(true);
    for (const key of ['MIGRATION_DATABASE_URL', 'MIGRATION_DATABASE_URLS']) {
      // The Secret has the first one while processes share a server, and the second one otherwise.
      const secretKeyRef = { name: 'event-api-owner', key, optional: true };
      expect(container?.env).toContainEqual({ name: key, valueFrom: { secretKeyRef } });
    }
    // The network policy `migrations` selects this label.
    expect(template).toMatchObject({ metadata: { labels: { 'event-api/role': 'migration' } } });
  });
});

describe('the overlay with the component', () => {
  const copy = mkdtempSync(join(tmpdir(), 'event-api-retention-overlay-'));
  afterAll(() => rmSync(copy, { recursive: true }));

  test('contains the CronJob with the image of the release', () => {
    cpSync(kubernetes, copy, { recursive: true });
    const file = join(copy, 'overlays/production/shared/kustomization.yaml');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('\n  # - ../../../components/audit-retention\n');
    writeFileSync(file, text.replace('# - ../../../comp', '- ../../../comp'));
    const rendered = renderFolder(join(copy, 'overlays/production'));
    if (rendered === undefined) return;
    const found = parseManifests(rendered).find(({ kind }) => kind === 'CronJob') as CronJob;
    const [container] = found.spec.jobTemplate.spec.template.spec.containers;
    expect(container?.image).toMatch(/^registry\.example\.com\/event-api-tools@sha256:/);
  });
});
