import { schemas } from '@event-api/contracts/topology';
import { provisionStream } from '@event-api/platform/messaging/bus/provision-stream';
import { derivedLogins, type Logins, schemasOf } from '@event-api/provisioning/database-roles';
import { provisionDatabase } from '@event-api/provisioning/provision';
import { ensureSuperuserPassword } from '@event-api/provisioning/superuser';

/**
 * Creates roles and schemas, makes exactly the logins of its settings valid, and sets the number of
 * replicas and the size of the stream if the settings contain them. Idempotent.
 */
async function provisionServers(env: NodeJS.ProcessEnv): Promise<void> {
  const { NATS_URL: natsUrl, STREAM_REPLICAS: replicas, STREAM_MAX_BYTES: maxBytes } = env;
  // If each process has a server of its own, none is left for the job that prepares the stream.
  if (env.PROVISION_DATABASE_URL) await provisionPostgres(env.PROVISION_DATABASE_URL, env);
  else if (!natsUrl) throw new Error('Wrong settings:\n  PROVISION_DATABASE_URL is missing');
  if (!natsUrl || !replicas) return;
  await provisionStream({
    url: natsUrl,
    replicas: Number(replicas),
    ...(maxBytes && { maxBytes: Number(maxBytes) }),
  });
}

async function provisionPostgres(url: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { PREVIOUS_PROVISION_DATABASE_URL: previousUrl, DATABASE_LOGINS } = env;
  const { username, password } = new URL(url);
  const connection = { connectionString: url };
  await ensureSuperuserPassword(
    { ...connection, user: username, password },
    previousUrl ? { connectionString: previousUrl } : undefined,
  );
  const logins: Logins = DATABASE_LOGINS
    ? JSON.parse(DATABASE_LOGINS)
    : derivedLogins(url, schemas);
  await provisionDatabase({ connection, schemas: schemasOf(logins, schemas), logins });
}

try {
  await provisionServers(process.env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
