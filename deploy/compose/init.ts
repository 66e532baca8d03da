import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf, type SecretContent } from '../secrets/contents.ts';
import { completeStore, updateStore } from '../secrets/store.ts';

/**
 * Writes the settings and server configurations of the containers below `folder`, one folder for
 * each container, so that none can read the secrets of another. The first run generates the secrets
 * and stores them in `folder`/store.
 */
export function initialise(folder: string): void {
  const store = updateStore(join(folder, 'store'), (existing) =>
    completeStore(existing, { paymentProvider: 'sandbox' }),
  );
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

if (import.meta.main) initialise('/run/event-api');
