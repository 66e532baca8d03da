import { describe, expect, test } from 'vitest';
import { formatFor } from './exposition.ts';
import { createMetrics } from './metrics.ts';
import { continueTrace } from './trace-context.ts';

test.each([
  [undefined, 'text'],
  ['*/*', 'text'],
  ['text/plain;version=0.0.4', 'text'],
  [
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.1',
    'openMetrics',
  ],
])('a scraper that accepts %s gets %s', (accept, format) => {
  expect(formatFor(accept)).toBe(format);
});

const get = { 'http.request.method': 'GET', 'http.route': '/v1/a"b\\c', 'error.type': 'x\ny' };

function measured() {
  const metrics = createMetrics('any');
  const record = metrics.histogram('http.server.request.duration');
  const sampled = continueTrace(undefined, 1);
  record(0.02, get, sampled);
  record(0.3, get, null);
  record(40, { 'http.request.method': 'GET' }, sampled);
  metrics.counter('gateway.rate_limit.denied')({}, 3);
  metrics.observe('projection.lag', () => 7);
  return { metrics, record, sampled };
}

const linesOf = (text: string, start: string) =>
  text.split('\n').filter((line) => line.includes(start));

describe('the text format', () => {
  test('has no exemplar, and the suffix of a counter in its metadata', async () => {
    const { metrics } = measured();
    const text = await metrics.text();
    expect(text).not.toContain('trace_id');
    expect(text).not.toContain('# EOF');
    expect(linesOf(text, 'gateway_rate_limit_denied')).toEqual([
      '# HELP gateway_rate_limit_denied_total Requests rejected because their key or address exceeded its limit',
      '# TYPE gateway_rate_limit_denied_total counter',
      'gateway_rate_limit_denied_total 3',
    ]);
    expect(linesOf(text, 'target')).toEqual([
      '# HELP target_info Target metadata',
      '# TYPE target_info gauge',
      'target_info{service_name="any"} 1',
    ]);
  });

  test('has cumulated buckets and escaped labels', async () => {
    const text = await measured().metrics.text();
    const labels = String.raw`http_request_method="GET",http_route="/v1/a\"b\\c",error_type="x\ny"`;
    const series = `http_server_request_duration_seconds_bucket{${labels},le=`;
    expect(linesOf(text, series).map((line) => line.slice(series.length))).toEqual([
      '"0.005"} 0',
      '"0.01"} 0',
      '"0.025"} 1',
      '"0.05"} 1',
      '"0.075"} 1',
      '"0.1"} 1',
      '"0.25"} 1',
      '"0.5"} 2',
      '"0.75"} 2',
      '"1"} 2',
      '"2.5"} 2',
      '"5"} 2',
      '"7.5"} 2',
      '"10"} 2',
      '"+Inf"} 2',
    ]);
    expect(text).toContain(`http_server_request_duration_seconds_sum{${labels}} 0.32\n`);
    expect(text).toContain(`http_server_request_duration_seconds_count{${labels}} 2\n`);
  });
});

describe('OpenMetrics', () => {
  test('has the same samples, the families without suffixes, and an end', async () => {
    const { metrics } = measured();
    const [text, open] = [await metrics.text(), await metrics.text('openMetrics')];
    const samples = (from: string) =>
      from
        .split('\n')
        .filter((line) => line && !line.startsWith('#'))
        .map((line) => line.replace(/ # .*/, ''));
    expect(samples(open)).toEqual(samples(text));
    expect(open).toContain('# TYPE gateway_rate_limit_denied counter\n');
    expect(open).toContain('# TYPE target info\n');
    expect(open).toContain('# TYPE projection_lag gauge\nprojection_lag 7\n');
    expect(open.endsWith('\n# EOF\n')).toBe(true);
  });

  test('has the latest exported trace in the bucket of its value', async () => {
    const { metrics, record, sampled } = measured();
    const exemplars = async () =>
      linesOf(await metrics.text('openMetrics'), 'trace_id').map(
        (line) =>
          /le="([^"]+)".* # \{trace_id="(\w+)"\} (\S+) \d+\.\d{3}$/.exec(line)?.slice(1) ?? [line],
      );
    expect(await exemplars()).toEqual([
      ['0.025', sampled.traceId, '0.02'],
      ['+Inf', sampled.traceId, '40'],
    ]);
    const later = continueTrace(undefined, 1);
    // The same series with its labels in another order.
    record(0.021, Object.fromEntries(Object.entries(get).toReversed()), later);
    record(0.022, get, null);
    expect((await exemplars())[0]).toEqual(['0.025', later.traceId, '0.021']);
  });
});
