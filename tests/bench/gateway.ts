import { createKey } from '@event-api/contracts/operator/keys';
import { createUnit } from '@event-api/contracts/operator/units';
import { currentVersion } from '@event-api/contracts/version';
import type { BenchEnvironment } from './environment.ts';
import { getRequest, startLoadProcess } from './load/run-load.ts';
import { compare, type Figures, line, medians, runAlternating, underLoad } from './rounds.ts';
import { platformTarget, startBaselineProxy } from './targets.ts';
import { describeVerdict, judge, type Verdict } from './verdicts.ts';

const connections = 32;

/** Figures of the gateway and of a plain proxy, both in front of the same catalog. */
export interface GatewayFigures {
  bareProxy: Figures;
  gateway: Figures;
  /** Gateway ÷ baseline proxy: requests per second, and CPU time per request. */
  verdicts: Verdict[];
}

/**
 * Measures reads of one event with an API key, a rate limit and a version, which is the gateway's
 * work per request.
 */
export async function benchGateway(
  { platform, operator, progress, settle, onEnd }: BenchEnvironment,
  options: { rounds: number; roundMs: number },
): Promise<GatewayFigures> {
  const unit = await operator.call(createUnit, { name: 'Bench' });
  const key = await operator.call(createKey, {
    businessUnitId: unit.id,
    name: 'Bench',
    rateLimitPerMinute: 10_000_000,
  });
  const headers = {
    authorization: `Bearer ${key.secret}`,
    'service-version': currentVersion,
    accept: 'application/json',
  };
  const gatewayUrl = platform.apiUrls.gateway ?? '';
  const path = `/v1/events/${await createEvent(gatewayUrl, headers)}`;

  const bareProxy = await startBaselineProxy({
    upstream: platform.apiUrls.catalog ?? '',
    connections: 64,
    privateJwk: platform.keys.private.gateway,
    caller: { businessUnitId: unit.id, defaultCurrency: 'EUR', keyId: key.id },
  });
  onEnd(bareProxy.stop);
  const gateway = platformTarget('gateway', gatewayUrl, platform.internalUrls.gateway ?? '');
  const load = startLoadProcess();
  onEnd(load.stop);

  const request = { head: getRequest(path, headers) };
  await settle();
  const [bare, own] = await runAlternating(
    [bareProxy, gateway].map((target) => underLoad(target, request, { load, connections })),
    { progress, ...options },
  );
  if (!bare || !own) throw new Error('nothing was measured');
  return {
    bareProxy: medians(bare),
    gateway: medians(own),
    verdicts: [
      judge({ name: 'gateway ÷ bare proxy, throughput', atLeast: 0.8 }, compare(own, bare)),
      judge(
        { name: 'gateway ÷ bare proxy, CPU per request', atMost: 1.35 },
        compare(own, bare, 'cpuMicrosPerRequest'),
      ),
    ],
  };
}

async function createEvent(url: string, headers: Record<string, string>): Promise<string> {
  const event = { name: 'Summit', timezone: 'Europe/Berlin', startsAt: '2027-05-10T07:00:00Z' };
  const response = await fetch(`${url}/v1/events`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  if (response.status !== 201) throw new Error(`no event was created: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}

/** Formats the figures as text. */
export const describeGateway = (figures: GatewayFigures): string =>
  [
    line('bare proxy', figures.bareProxy),
    line('gateway', figures.gateway),
    ...figures.verdicts.map(describeVerdict),
  ].join('\n');
