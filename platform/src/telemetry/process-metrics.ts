import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Metrics } from './metrics.ts';

const nanosPerSecond = 1e9;
const microsPerSecond = 1e6;
const millisPerSecond = 1e3;
const bytesPerKibibyte = 1024;

// The types of Node do not have this option yet.
const perIteration = { samplePerIteration: true } as Parameters<typeof monitorEventLoopDelay>[0];

/**
 * Observes the event loop, CPU time and memory of this process. Event loop figures restart at every
 * scrape.
 */
export function observeProcess(metrics: Metrics): void {
  // The delays of iterations instead of samples by a timer, which would wake an idle process 50
  // times per second.
  const delay = monitorEventLoopDelay(perIteration);
  delay.enable();
  const startedAt = performance.timeOrigin / millisPerSecond;
  let loop = performance.eventLoopUtilization();

  metrics.observe('nodejs.eventloop.delay.p50', () => delay.percentile(50) / nanosPerSecond);
  metrics.observe('nodejs.eventloop.delay.p99', () => {
    const p99 = delay.percentile(99) / nanosPerSecond;
    // Metrics are observed in the order of registration: p99 is read last and resets the histogram.
    delay.reset();
    return p99;
  });
  metrics.observe('nodejs.eventloop.utilization', () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, loop);
    loop = now;
    return utilization;
  });
  metrics.observe('process.cpu.time', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / microsPerSecond;
  });
  metrics.observe('process.start_time', () => startedAt);
  metrics.observe('process.memory.usage', () => process.memoryUsage.rss());
  metrics.observe('process.memory.peak', peakMemoryBytes);
  metrics.observe('v8js.memory.heap.used', () => getHeapStatistics().used_heap_size);
}

/**
 * The kernel's largest value of the resident memory. `maxRSS` includes the program that started
 * this one, which is larger than a process of the platform in tests, so it is used only where /proc
 * is missing.
 */
function peakMemoryBytes(): number {
  const kibibytes = process.platform === 'linux' ? peakOfProc() : undefined;
  return (kibibytes ?? process.resourceUsage().maxRSS) * bytesPerKibibyte;
}

function peakOfProc(): number | undefined {
  const [, kibibytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes);
}
