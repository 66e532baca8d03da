import { respondsWith } from '@event-api/local-servers/probe';
import pg from 'pg';

/** Settings whose value is the address of a server with a login. */
const attempts: Record<string, (url: URL) => Promise<boolean>> = {
  DATABASE_URL: connectsToPostgres,
  MIGRATION_DATABASE_URL: connectsToPostgres,
  PROVISION_DATABASE_URL: connectsToPostgres,
  NATS_URL: ({ port, username, password }) => {
    const login = { user: username, pass: password, verbose: false, pedantic: false };
    return respondsWith(Number(port), `CONNECT ${JSON.stringify(login)}\r\nPING\r\n`, 'PONG');
  },
  REDIS_URL: ({ port, username, password }) =>
    respondsWith(Number(port), `AUTH ${username} ${password}\r\nPING\r\n`, '+PONG'),
};

async function connectsToPostgres({ href }: URL): Promise<boolean> {
  const client = new pg.Client({ connectionString: href });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    // invalid_authorization_specification (no login), invalid_password
    if (['28000', '28P01'].includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** Whether the server accepts each login in these settings, by setting. */
export async function tryLogins(
  settings: Record<string, string>,
): Promise<Record<string, boolean>> {
  const results = Object.entries(settings).flatMap(([name, value]) => {
    const attempt = attempts[name];
    return attempt ? [attempt(new URL(value)).then((accepted) => [name, accepted])] : [];
  });
  return Object.fromEntries(await Promise.all(results));
}
