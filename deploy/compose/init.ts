import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf, type SecretContent } from '../secrets/contents.ts';
import { createSecrets } from '../secrets/secrets.commands.ts';

/**
 * Writes the settings and server configurations of the containers below `folder`, one folder for
 * each container, so that none can read the secrets of another. The first run generates the secrets
 * and stores them in `folder`/store. `postgresOf` assigns PostgreSQL servers to processes, as the
 * option of the secrets command does.
 */
export function initialise(folder: string, postgresOf: readonly string[] = []): void {
  const store = createSecrets(join(folder, 'store'), { paymentProvider: 'sandbox', postgresOf });
  const { callers, ...contents } = contentsOf(store);
  for (const [container, content] of Object.entries(contents)) {
    const verifies = content.settings.CALLER_PRIVATE_KEY !== undefined;
    const settings = { ...content.settings, ...(verifies && callers?.settings) };
    write(folder, container, { ...content, settings });
  }
}

/**
 * Other users can read the files, because servers change their user at startup. The mounts restrict
 * who sees them.
 */
function write(folder: string, container: string, { settings, files }: SecretContent): void {
  const own = join(folder, container);
  mkdirSync(own, { recursive: true });
  const env = Object.keys(settings).length > 0 ? { 'process.env': lines(settings) } : {};
  for (const [file, content] of Object.entries({ ...files, ...env })) {
    writeFileSync(join(own, file), content, { mode: 0o644 });
  }
}

/** The format of `node --env-file`. No value contains a single quote. */
const lines = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');

if (import.meta.main) {
  const { POSTGRES_OF } = process.env;
  initialise('/run/event-api', POSTGRES_OF ? POSTGRES_OF.split(' ') : []);
}
