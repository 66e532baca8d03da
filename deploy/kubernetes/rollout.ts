import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Kubectl, KubectlError, kubectlIn } from './kubectl.ts';
import {
  decideJobs,
  imagesWithoutRelease,
  type JobStatus,
  namespaceOf,
  newFailures,
  planRelease,
  type RenderedManifest,
  splitManifests,
} from './release.ts';
import { render } from './render.ts';

/** `activeDeadlineSeconds` of the jobs, and time to start them. */
const JOBS_TIMEOUT_MS = 17 * 60_000;
const POLL_INTERVAL_MS = Number(process.env.POLL_INTERVAL_MS ?? 2000);
const DEPLOYMENT_TIMEOUT = '10m';

const USAGE = `npm run -s rollout -- <overlay or folder of one> [--restart]
  npm run -s rollout -- production            all services
  npm run -s rollout -- production/onsite     one service
  --restart                                   also restarts processes whose manifest is unchanged: they read their Secrets`;

/** A step failed. Nothing after it was done. */
class RolloutError extends Error {}

const say = (line: string) => console.log(line);

function apply(kubectl: Kubectl, manifests: readonly RenderedManifest[]): void {
  if (manifests.length === 0) return;
  kubectl(['apply', '-f', '-'], manifests.map(({ text }) => text).join('---\n'));
}

/** What a job has written last. Empty while its pod has no log. */
function lastLines(kubectl: Kubectl, job: string): string {
  try {
    return kubectl(['logs', `job/${job}`, '--tail=3']).trimEnd();
  } catch (error) {
    if (error instanceof KubectlError) return '';
    throw error;
  }
}

/** The same job runs again if it has run before: a Secret may be new, or it has failed. */
async function runJobs(kubectl: Kubectl, jobs: readonly RenderedManifest[]): Promise<void> {
  const names = jobs.map(({ name }) => name);
  say(`running ${names.join(', ')}`);
  kubectl(['delete', 'job', ...names, '--ignore-not-found', '--wait']);
  apply(kubectl, jobs);
  const failures = new Map<string, number>();
  const deadline = performance.now() + JOBS_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const found = JSON.parse(kubectl(['get', 'job', ...names, '-o', 'json']));
    // A single job is not in a list.
    const states: JobStatus[] = found.items ?? [found];
    const decision = decideJobs(states);
    if (decision.outcome === 'complete') return;
    if (decision.outcome === 'failed') {
      const logs = decision.names.map((name) => kubectl(['logs', `job/${name}`, '--tail=20']));
      throw new RolloutError(
        `${decision.names.join(', ')} failed; no process was changed\n${logs.join('\n')}`,
      );
    }
    for (const [name, attempts] of newFailures(states, failures)) {
      say(`attempt ${attempts} of ${name} has failed; Kubernetes repeats it`);
      const reason = failures.has(name) ? '' : lastLines(kubectl, name);
      if (reason !== '') say(reason);
      failures.set(name, attempts);
    }
    await wait(POLL_INTERVAL_MS);
  }
  throw new RolloutError(`${names.join(', ')} did not end in time; no process was changed`);
}

async function rollOut(overlay: string, isRestart: boolean): Promise<void> {
  const rendered = render(overlay);
  if (rendered === undefined) throw new RolloutError('kubectl or kustomize must be on the PATH');
  const manifests = splitManifests(rendered);
  const unset = imagesWithoutRelease(manifests);
  if (unset.length > 0)
    throw new RolloutError(
      `No release has set the digest of ${unset.join(', ')}; nothing was changed. In the folder of the image: kustomize edit set image <name>=<registry>/<name>@sha256:…`,
    );
  const namespace = namespaceOf(rendered);
  const kubectl = kubectlIn(namespace);
  const { before, jobs, after, deployments } = planRelease(manifests);
  apply(kubectl, before);
  for (const group of jobs) await runJobs(kubectl, group);
  say(`applying ${overlay}`);
  apply(kubectl, after);
  const targets = deployments.map((name) => `deployment/${name}`);
  if (isRestart && targets.length > 0) kubectl(['rollout', 'restart', ...targets]);
  for (const target of targets) {
    say(`waiting for ${target}`);
    try {
      kubectl(['rollout', 'status', target, `--timeout=${DEPLOYMENT_TIMEOUT}`]);
    } catch (error) {
      const here = `kubectl -n ${namespace}`;
      const selector = `--selector app.kubernetes.io/name=${target.replace('deployment/', '')}`;
      const advice = [
        `The former pods of ${target} keep running.`,
        `Why: ${here} get pods ${selector}, then ${here} logs <pod> of one that is not ready`,
        `To go back: ${here} rollout undo ${target}`,
      ];
      throw new RolloutError([(error as Error).message, ...advice].join('\n'));
    }
  }
  say('complete');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { restart: { type: 'boolean', default: false } },
});
try {
  const [overlay, ...rest] = positionals;
  if (overlay === undefined || rest.length > 0) throw new RolloutError(USAGE);
  await rollOut(overlay, values.restart);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
