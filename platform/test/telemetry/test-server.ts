import { setTimeout } from 'node:timers/promises';
import { internal as internalError } from '../../src/core/errors.ts';
import { createLogger } from '../../src/core/log.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { tracedRequest } from '../../src/http/traced-request.ts';
import { createTelemetry, type TelemetrySettings } from '../../src/telemetry/telemetry.ts';
import { httpClient } from '../../testing/http-client.ts';

/** A process with one route whose result depends on the id. */
export async function startTestServer(settings: Partial<TelemetrySettings> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    service: 'things',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const telemetry = await createTelemetry({
    service: 'things',
    log,
    settings: { TELEMETRY_SAMPLE_RATIO: 1, ...settings },
  });
  const options = { log, telemetry, checkResponses: true, trustRequestId: true };
  const api = createHttpServer(options);
  const internal = createHttpServer(options);
  const held = Promise.withResolvers<void>();
  api.get('/v1/things/:thingId', async (request) => {
    const { thingId } = request.params as { thingId: string };
    request.log.info('asked');
    if (thingId === 'broken') throw internalError(new Error('broken'));
    if (thingId === 'held') await held.promise;
    if (thingId === 'slow') await setTimeout(300);
    // A process that decides without a dependency that does not respond.
    if (thingId === 'degraded') await callOther('http://127.0.0.1:9/gone', '/gone').catch(() => {});
    if (thingId === 'calls-degraded')
      await callOther(`${serving.apiUrl}/v1/things/degraded`, '/v1/things/:thingId');
    return { thingId };
  });
  const ping = async () => {};
  const at = { host: '127.0.0.1', port: 0, internalPort: 0 };
  const serving = await listen({ api, internal, log, telemetry, ping, ...at });
  const internalClient = httpClient(serving.internalUrl);
  return {
    ...serving,
    call: httpClient(serving.apiUrl),
    telemetry,
    metrics: async (accept = 'text/plain') =>
      String((await internalClient('GET', '/metrics', { headers: { accept } })).body),
    lines: () => lines.map((line) => JSON.parse(line)),
    /** Completes the pending request. */
    release: held.resolve,
    internalClient,
  };
}

const callOther = (url: string, template: string) =>
  tracedRequest(new URL(url), {
    target: { template },
    method: 'GET',
    headers: {},
    timeoutMs: 5000,
  });

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;
