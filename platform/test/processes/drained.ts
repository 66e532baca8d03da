import { createLogger } from '../../src/core/log.ts';
import { listen } from '../../src/http/listen.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { runProcess } from '../../src/service/run-process.ts';

/** A process whose `GET /slow` responds on SIGUSR2. */
await runProcess(async () => {
  const log = createLogger({ service: 'drained', level: 'info' });
  const options = { log, checkResponses: true, trustRequestId: true };
  const api = createHttpServer(options);
  const internal = createHttpServer(options);
  const finish = Promise.withResolvers<void>();
  api.get('/slow', async () => {
    log.info('slow request began');
    await finish.promise;
    return { handled: true };
  });
  process.on('SIGUSR2', () => finish.resolve());
  const serving = await listen({
    api,
    internal,
    log,
    host: '127.0.0.1',
    port: 0,
    internalPort: 0,
    ping: async () => {},
  });
  return { log, stop: () => serving.stop() };
});
