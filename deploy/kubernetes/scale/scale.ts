import { setTimeout as wait } from 'node:timers/promises';
import { currentTime } from '@event-api/provisioning/backup/clock';
import { type Kubectl, KubectlError, kubectlIn } from '../kubectl.ts';
import { namespaceOf, splitManifests } from '../release.ts';
import { readRendered, render } from '../render.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { type Rates, readCapacity } from './capacity.ts';
import { componentOf } from './component.ts';
import {
  type AutoscalerPatch,
  type LiveAutoscaler,
  patchesOf,
  resetsOf,
  stateOf,
  waitingFor,
} from './live.ts';
import { planScale, type ScalePlan } from './plan.ts';
import { postgresSizeOf, sizesOf } from './process-size.ts';
import { describeRates, UsageError } from './rates.ts';
import { describePlan } from './report.ts';

/** The autoscaler looks every 15 seconds, then the nodes pull images and the processes start. */
const PODS_TIMEOUT_MS = 10 * 60_000;
const POLL_INTERVAL_MS = Number(process.env.POLL_INTERVAL_MS ?? 5000);

const say = (line: string) => console.log(line);

const renderedOf = (overlay: string) => render(overlay) ?? readRendered(overlay);
const manifestsOf = (overlay: string) => splitManifests(renderedOf(overlay));
const clusterOf = (overlay: string): Kubectl => kubectlIn(namespaceOf(renderedOf(overlay)));

const readLive = (kubectl: Kubectl): LiveAutoscaler[] =>
  JSON.parse(kubectl(['get', 'hpa', '-o', 'json'])).items;

function patch(kubectl: Kubectl, patches: readonly AutoscalerPatch[]): void {
  for (const { name, patch } of patches) {
    kubectl(['patch', 'hpa', name, '--type', 'merge', '--patch', JSON.stringify(patch)]);
    say(`${name}: at least ${patch.spec.minReplicas}`);
  }
}

interface Planned {
  plan: ScalePlan;
  text: string;
}

/** With `live`, the autoscalers of the cluster say how many pods there may be. */
function planFor(overlay: string, rates: Rates, live: readonly LiveAutoscaler[] = []): Planned {
  const manifests = manifestsOf(overlay);
  const sizes = sizesOf(manifests).map((size) => {
    const own = live.find(({ metadata }) => metadata.name === size.name);
    return { ...size, maxReplicas: own?.spec.maxReplicas ?? size.maxReplicas };
  });
  const plan = planScale(rates, sizes, readCapacity());
  return { plan, text: describePlan(rates, plan, sizes, postgresSizeOf(manifests)) };
}

const isCovered = ({ processes }: ScalePlan) =>
  processes.every(({ outcome }) => outcome !== 'beyond');

/** Returns whether the pods that the load needs are ready. */
async function apply({ overlay, rates, until }: Extract<Arguments, { action: 'apply' }>) {
  const kubectl = clusterOf(overlay);
  const { plan, text } = planFor(overlay, rates, readLive(kubectl));
  say(`${text}\n`);
  patch(kubectl, patchesOf(plan, until));
  const deadline = performance.now() + PODS_TIMEOUT_MS;
  for (;;) {
    const missing = waitingFor(
      JSON.parse(kubectl(['get', 'deployment', '-o', 'json'])).items,
      plan.processes,
    );
    if (missing.length === 0) break;
    if (performance.now() > deadline) {
      const list = missing.map(({ name, ready, pods }) => `${name} ${ready} of ${pods}`).join(', ');
      throw new KubectlError(`not ready in time: ${list}. Have the nodes room? kubectl get pods`);
    }
    await wait(POLL_INTERVAL_MS);
  }
  say('all pods are ready');
  return isCovered(plan);
}

function reset({ overlay, onlyOverdue }: Extract<Arguments, { action: 'reset' }>): void {
  const now = currentTime();
  const kubectl = clusterOf(overlay);
  const live = readLive(kubectl).filter(
    (each) => !onlyOverdue || stateOf(each, now).outcome === 'overdue',
  );
  const sizes = sizesOf(manifestsOf(overlay));
  const resets = resetsOf(live, (name) => {
    const size = sizes.find((each) => each.name === name);
    if (size === undefined) throw new UsageError(`${overlay} has no autoscaler ${name}`);
    return size.minReplicas;
  });
  patch(kubectl, resets);
  if (resets.length === 0) say('nothing is to be set back');
}

/** Returns whether everything is as the manifests or the last scaling want it. */
function reportState({ overlay }: Extract<Arguments, { action: 'state' }>): boolean {
  const now = currentTime();
  const states = readLive(clusterOf(overlay)).map((each) => ({
    name: each.metadata.name,
    ...stateOf(each, now),
  }));
  for (const state of states) {
    if (state.outcome === 'as_manifest') say(`${state.name}: not scaled`);
    if (state.outcome === 'scaled')
      say(`${state.name}: at least ${state.to}${state.until ? ` until ${state.until}` : ''}`);
    if (state.outcome === 'set_back')
      say(
        `${state.name}: at least ${state.least}, not ${state.to}: a release has set it back; scale again`,
      );
    if (state.outcome === 'overdue')
      say(
        `${state.name}: at least ${state.to} since before ${state.until}, which has passed; --reset`,
      );
  }
  return states.every(({ outcome }) => outcome === 'as_manifest' || outcome === 'scaled');
}

/** Returns whether the command found everything as it should be. */
async function main(parsed: Arguments): Promise<boolean> {
  const { overlay } = parsed;
  switch (parsed.action) {
    case 'plan': {
      const { plan, text } = planFor(overlay, parsed.rates);
      say(text);
      return isCovered(plan);
    }
    case 'apply':
      return apply(parsed);
    case 'component': {
      const { plan } = planFor(overlay, parsed.rates);
      const end = parsed.until ? ` until ${parsed.until.toISOString()}` : '';
      process.stdout.write(componentOf(plan, `For ${describeRates(parsed.rates)}${end}.`));
      return isCovered(plan);
    }
    case 'reset':
      reset(parsed);
      return true;
    case 'state':
      return reportState(parsed);
  }
}

try {
  process.exitCode = (await main(parseArguments(process.argv.slice(2), currentTime()))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
