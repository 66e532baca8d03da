/** A manifest of a rendered overlay, as far as a rollout distinguishes it. */
export interface RenderedManifest {
  kind: string;
  name: string;
  text: string;
}

/** The manifests in the output of Kustomize. */
export const splitManifests = (rendered: string): RenderedManifest[] =>
  rendered
    .trim()
    .split(/^---\n/m)
    .map((text) => ({
      text,
      kind: /^kind: (\S+)$/m.exec(text)?.[1] ?? '',
      name: /^metadata:\n(?: .*\n)*? {2}name: (\S+)$/m.exec(text)?.[1] ?? '',
    }));

/** The namespace of the manifests of an overlay. Errors: they have none, or several. */
export function namespaceOf(rendered: string): string {
  const found = new Set(
    [...rendered.matchAll(/^metadata:\n(?: .*\n)*? {2}namespace: (\S+)$/gm)].map(
      ([, name]) => name,
    ),
  );
  const [namespace] = found;
  if (namespace === undefined || found.size > 1)
    throw new Error(`the manifests have ${[...found].join(' and ') || 'no'} namespace`);
  return namespace;
}

/** The images that have the digest of the repository, which no image has: no release set one. */
export const imagesWithoutRelease = (manifests: readonly RenderedManifest[]): string[] => [
  ...new Set(
    manifests.flatMap(({ text }) =>
      [...text.matchAll(/^ +(?:- )?image: (\S+)@sha256:0{64}$/gm)].map(([, image = '']) => image),
    ),
  ),
];

/** What a rollout applies before the jobs, which jobs it runs, and what it applies after them. */
export interface ReleasePlan {
  /**
   * What a job needs to reach a server: the namespace, the policies, and in kind the servers
   * themselves.
   */
  before: RenderedManifest[];
  /** In this order; the jobs of one group run at the same time. */
  jobs: RenderedManifest[][];
  after: RenderedManifest[];
  deployments: string[];
}

/**
 * Migrations run after the roles and schemas exist, and before any process of the new release
 * starts.
 */
export function planRelease(manifests: readonly RenderedManifest[]): ReleasePlan {
  const of = (...kinds: string[]) => manifests.filter(({ kind }) => kinds.includes(kind));
  const first = of('Namespace', 'NetworkPolicy', 'Service', 'StatefulSet');
  const jobs = of('Job');
  const isProvisioning = ({ name }: RenderedManifest) =>
    /^provision(-[a-z]+)?-[a-z0-9]{10}$/.test(name);
  return {
    before: first,
    jobs: [jobs.filter(isProvisioning), jobs.filter((job) => !isProvisioning(job))].filter(
      (group) => group.length > 0,
    ),
    after: manifests.filter((each) => !first.includes(each) && !jobs.includes(each)),
    deployments: of('Deployment').map(({ name }) => name),
  };
}

/** The status of a Job, as Kubernetes reports it. */
export interface JobStatus {
  metadata: { name: string };
  /** `failed` counts the attempts that have failed. */
  status?: { failed?: number; conditions?: { type: string; status: string }[] };
}

export type JobsDecision =
  | { outcome: 'running' }
  | { outcome: 'complete' }
  | { outcome: 'failed'; names: string[] };

/** One failed job ends the wait, also while others run. */
export function decideJobs(jobs: readonly JobStatus[]): JobsDecision {
  const has = ({ status }: JobStatus, type: string) =>
    status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false;
  const failed = jobs.filter((job) => has(job, 'Failed')).map(({ metadata }) => metadata.name);
  if (failed.length > 0) return { outcome: 'failed', names: failed };
  return { outcome: jobs.every((job) => has(job, 'Complete')) ? 'complete' : 'running' };
}

/**
 * The jobs of which another attempt has failed, with the number of their failed attempts. `known` has
 * the numbers that were seen before.
 */
export const newFailures = (
  jobs: readonly JobStatus[],
  known: ReadonlyMap<string, number>,
): [name: string, attempts: number][] =>
  jobs
    .map(({ metadata, status }): [string, number] => [metadata.name, status?.failed ?? 0])
    .filter(([name, attempts]) => attempts > (known.get(name) ?? 0));
