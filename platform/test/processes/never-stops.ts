import { createLogger } from '../../src/core/log.ts';
import { runProcess } from '../../src/service/run-process.ts';

/** A process that fails while it stops. */
await runProcess(async () => {
  const log = createLogger({ service: 'never-stops', level: 'info' });
  log.info('listening');
  const alive = setInterval(() => {}, 1000);
  return {
    log,
    async stop() {
      clearInterval(alive);
      throw new Error('the last flush failed');
    },
  };
});
