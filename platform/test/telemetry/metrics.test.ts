import { request as rawRequest } from 'node:http';
import { metricDefinitions } from '@event-api/contracts/metrics/definitions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const labels = (fields: Record<string, string | number>) =>
  `{${Object.entries(fields)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`;

/** The number of requests of this kind in the histogram. */
function counted(text: string, route: string, status: number, error?: string): number {
  const line = `http_server_request_duration_seconds_count${labels({
    http_request_method: 'GET',
    http_route: route,
    http_response_status_code: status,
    ...(error && { error_type: error }),
  })} `;
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(line))
      ?.slice(line.length) ?? 0,
  );
}

describe('metrics', () => {
  let things: TestServer;
  beforeAll(async () => {
    things = await startTestServer();
  });
  afterAll(() => things?.stop());

  test('count each request by the template of its path, never by the path', async () => {
    await things.call('GET', '/v1/things/secret-id');
    await things.call('GET', '/v1/things/other-id?email=a%40b.example');
    await things.call('GET', '/v1/things/broken');
    await things.call('GET', '/v1/nothing/secret-id');
    await eventually(async () => {
      const text = await things.metrics();
      expect(counted(text, '/v1/things/:thingId', 200)).toBe(2);
      expect(counted(text, '/v1/things/:thingId', 500, '500')).toBe(1);
      expect(counted(text, 'unmatched', 404)).toBe(1);
    });
    expect(await things.metrics()).not.toMatch(/secret-id|other-id|example|req_/);
  });

  test('report durations in seconds, in the standard buckets', async () => {
    await things.call('GET', '/v1/things/1');
    const text = await things.metrics();
    const bounds = text
      .split('\n')
      .filter((line) => /duration_seconds_bucket.*things.*status_code="200"/.test(line))
      .map((line) => /le="([^"]+)"/.exec(line)?.[1]);
    expect(bounds).toEqual(
      '0.005 0.01 0.025 0.05 0.075 0.1 0.25 0.5 0.75 1 2.5 5 7.5 10 +Inf'.split(' '),
    );
    const sum = /duration_seconds_sum\{[^}]*status_code="200"\} (\S+)/.exec(text)?.[1];
    expect(Number(sum)).toBeGreaterThan(0);
    expect(Number(sum)).toBeLessThan(5);
  });

  test('show active requests, without those of disconnected clients', async () => {
    const active = /http_server_active_requests\{http_request_method="GET"\} (\d+)/;
    const response = things.call('GET', '/v1/things/held');
    const aborted = rawRequest(`${things.apiUrl}/v1/things/held`);
    aborted.on('error', () => {});
    aborted.end();
    await eventually(async () => expect(active.exec(await things.metrics())?.[1]).toBe('2'));
    aborted.destroy();
    await eventually(async () => {
      const text = await things.metrics();
      expect(active.exec(text)?.[1]).toBe('1');
      expect(text).toMatch(/duration_seconds_count\{[^}]*error_type="client_gone"\} 1/);
    });
    things.release();
    expect((await response).status).toBe(200);
    await eventually(async () => expect(active.exec(await things.metrics())?.[1]).toBe('0'));
  });

  test('are declared, each with its attributes', async () => {
    const text = await things.metrics();
    const registered = new Map(
      Object.entries(metricDefinitions).map(([name, { unit, attributes }]) => {
        const suffix = { s: '_seconds', By: '_bytes' }[unit as string] ?? '';
        return [name.replaceAll('.', '_') + suffix, attributes as readonly string[]];
      }),
    );
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(samples.length).toBeGreaterThan(20);
    for (const sample of samples) {
      const [, name = '', labels = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? \S+$/.exec(sample) ?? [];
      if (name === 'target_info') continue;
      const allowed =
        registered.get(name.replace(/_(bucket|sum|count|total)$/, '')) ?? registered.get(name);
      expect(allowed, sample).toBeDefined();
      const names = [...labels.matchAll(/([a-z0-9_]+)="/g)].map(([, label]) => label);
      const plain = [...(allowed ?? []).map((each) => each.replaceAll('.', '_')), 'le'];
      for (const label of names) expect(plain, sample).toContain(label);
    }
  });

  test('are reported only while they are observed', async () => {
    const metrics = createMetrics('any');
    let due: [number, { currency: string }][] = [[3, { currency: 'EUR' }]];
    metrics.observe('commerce.refunds.due', () => due);
    const exposed = async () =>
      (await metrics.text()).split('\n').filter((line) => /^commerce_refunds_due/.test(line));
    expect(await exposed()).toEqual(['commerce_refunds_due{currency="EUR"} 3']);
    expect(await exposed()).toEqual(['commerce_refunds_due{currency="EUR"} 3']);
    due = [[1, { currency: 'JPY' }]];
    expect(await exposed()).toEqual(['commerce_refunds_due{currency="JPY"} 1']);
    due = [];
    expect(await exposed()).toEqual([]);
  });

  test('of counters exist before the first event and never decrease', async () => {
    const metrics = createMetrics('any');
    const count = metrics.counter('gateway.rate_limit.fallback');
    const exposed = async () =>
      /^gateway_rate_limit_fallback_total (\d+)$/m.exec(await metrics.text());
    expect((await exposed())?.[1]).toBe('0');
    count();
    expect((await exposed())?.[1]).toBe('1');
    expect((await exposed())?.[1]).toBe('1');
  });

  test('report the largest memory of the process, also after it was released', async () => {
    const memory = async () => {
      const text = await things.metrics();
      const bytesOf = (name: string) =>
        Number(new RegExp(`^process_memory_${name}_bytes (\\d+)$`, 'm').exec(text)?.[1]);
      return { now: bytesOf('usage'), peak: bytesOf('peak') };
    };
    const before = await memory();
    expect(before.peak).toBeGreaterThanOrEqual(before.now);
    const part = 64 * 1024 * 1024;
    const blocks: ArrayBuffer[] = [];
    // The process runs many tests, and each block may start a garbage collection of what they left.
    for (let now = before.now; now < before.peak + part && blocks.length < 100; ) {
      const block = new ArrayBuffer(part);
      new Uint8Array(block).fill(1);
      blocks.push(block);
      ({ now } = await memory());
    }
    for (const block of blocks) block.transfer(0);
    const after = await memory();
    expect(after.now).toBeLessThan(after.peak);
    expect(after.peak).toBeGreaterThanOrEqual(before.peak + part);
  });

  test('are served on the internal listener only', async () => {
    expect((await things.call('GET', '/metrics')).status).toBe(404);
    expect((await things.internalClient('GET', '/metrics')).headers['content-type']).toContain(
      'text/plain',
    );
  });

  test('omit health probes', async () => {
    expect((await things.internalClient('GET', '/healthz')).status).toBe(200);
    expect((await things.internalClient('GET', '/readyz')).status).toBe(200);
    await things.call('GET', '/v1/things/1');
    expect(await things.metrics()).not.toMatch(/healthz|readyz|"\/metrics"/);
  });
});
