import { createLogger } from '../../src/core/log.ts';
import { runProcess } from '../../src/service/run-process.ts';

/** A process whose start ends on SIGUSR2. */
await runProcess(async () => {
  const log = createLogger({ service: 'starts-on-signal', level: 'info' });
  const finish = Promise.withResolvers<void>();
  process.on('SIGUSR2', () => finish.resolve());
  const alive = setInterval(() => {}, 1000);
  log.info('starting');
  await finish.promise;
  return {
    log,
    async stop() {
      clearInterval(alive);
    },
  };
});
