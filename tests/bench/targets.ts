import type { BaselineProxySettings } from './baseline-proxy.ts';
import { startChild } from './load/child-process.ts';

/** A server to measure. */
export interface BenchTarget {
  name: string;
  url: string;
  /** CPU time of its process so far, all threads. */
  cpuSeconds(): Promise<number>;
}

/** A process of the platform. Its internal listener reports its CPU time. */
export function platformTarget(name: string, url: string, internalUrl: string): BenchTarget {
  return {
    name,
    url,
    async cpuSeconds() {
      const text = await (await fetch(`${internalUrl}/metrics`)).text();
      const [, seconds] = /^process_cpu_time_seconds_total (\S+)$/m.exec(text) ?? [];
      if (seconds === undefined) throw new Error(`${name} does not report its CPU time`);
      return Number(seconds);
    },
  };
}

/** Starts the baseline proxy in its own process. */
export async function startBaselineProxy(
  settings: BaselineProxySettings,
): Promise<BenchTarget & { stop(): void }> {
  const child = startChild('baseline-proxy.ts', { BARE_PROXY: JSON.stringify(settings) });
  return {
    name: 'bare proxy',
    url: await child.next(),
    async cpuSeconds() {
      const { user, system } = await child.request<NodeJS.CpuUsage>({ query: 'cpu' });
      return (user + system) / 1e6;
    },
    stop: child.stop,
  };
}
