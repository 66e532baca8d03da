import { z } from 'zod';
import { processSettings, readConfig } from '../../src/core/config.ts';
import { createLogger } from '../../src/core/log.ts';
import { openDatabase } from '../../src/db/database.ts';
import { startMessaging } from '../../src/messaging/messaging.ts';
import { runProcess } from '../../src/service/run-process.ts';
import { unobserved } from '../../src/telemetry/dependencies.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { eventually } from '../../testing/eventually.ts';
import { itemSource, ormOf, putItems } from '../messaging/items.ts';

/** A process that writes the thing `THING` once it is connected to the bus, and keeps running. */
await runProcess(async () => {
  const settings = readConfig(
    z.object({
      NODE_ENV: processSettings.NODE_ENV,
      DATABASE_URL: z.string(),
      NATS_URL: z.string(),
      THING: z.string(),
    }),
  );
  const log = createLogger({ service: 'writer', level: 'info' });
  const db = await openDatabase(ormOf(settings.DATABASE_URL, 'catalog'), 2);
  const messaging = startMessaging({
    db,
    databaseUrl: settings.DATABASE_URL,
    natsUrl: settings.NATS_URL,
    nats: unobserved,
    origin: 'catalog',
    schema: 'catalog',
    projections: [],
    snapshotClients: {},
    metrics: createMetrics('writer'),
    spans: null,
    log,
  });
  await eventually(() => {
    if (!messaging.bus.stream) throw new Error('no bus yet');
  });
  await db.transaction(async (tx) => {
    await tx.query(putItems, [[settings.THING], 'written', 3]);
    await itemSource.emit(tx, [settings.THING]);
  });
  log.info('written');
  return {
    log,
    async stop() {
      await messaging.close();
      await db.close();
    },
  };
});
