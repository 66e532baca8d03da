import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { differences, LIST, readImages, writeImages, writePlaces } from './places.ts';
import { nameOf, type PinnedImages, referenceTo } from './references.ts';
import { fetchDigest, type RegistryAccess, RegistryError } from './registry.ts';

const USAGE = `npm run -s images -- <command>
  check                        lists the places that differ from ${LIST}
  update [<name>[:<tag>] …]    reads the digests of all images, or of these, from their registries,
                               and writes them to ${LIST} and to every place
  write                        writes ${LIST} to every place, without a registry
  --registry <host>=<url>      reads from this address instead, such as a mirror; can be repeated`;

/** Wrong arguments, or a list that cannot be used. */
class ImagesError extends Error {}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { registry: { type: 'string', multiple: true, default: [] } },
});
const root = join(import.meta.dirname, '../..');

/** Returns whether the places equal the list. */
function check(): boolean {
  const found = differences(root);
  for (const line of found) console.log(line);
  if (found.length === 0) console.log(`every place equals ${LIST}`);
  return found.length === 0;
}

/** All digests are read before a file is changed. Errors: ImagesError, RegistryError. */
async function update(wanted: readonly string[]): Promise<void> {
  const listed = readImages(root);
  const access = { addresses: registryAddresses(), credentials: storedCredentials() };
  const names = wanted.length > 0 ? wanted : Object.keys(listed);
  const changed: PinnedImages = Object.fromEntries(
    await Promise.all(names.map((each) => pinned(each, listed, access))),
  );
  for (const [name, image] of Object.entries(changed)) console.log(referenceTo(name, image));
  writeImages(root, { ...listed, ...changed });
  write();
}

async function pinned(wanted: string, listed: PinnedImages, access: RegistryAccess) {
  const name = nameOf(wanted);
  const image = listed[name];
  if (image === undefined) throw new ImagesError(`${name} is not in ${LIST}`);
  const tag = wanted === name ? image.tag : wanted.slice(name.length + 1);
  return [name, { tag, digest: await fetchDigest(name, tag, access) }] as const;
}

function write(): void {
  for (const file of writePlaces(root)) console.log(`changed ${file}`);
}

const registryAddresses = (): Map<string, string> =>
  new Map(
    values.registry.map((option) => {
      const [, host = '', url = ''] = /^([^=]+)=(https?:\/\/.+)$/.exec(option) ?? [];
      if (host === '') throw new ImagesError(`--registry ${option} is not <host>=<url>`);
      return [host, url] as const;
    }),
  );

/** What `docker login` has stored in its file. Credentials of a helper program are not read. */
function storedCredentials(): Map<string, string> {
  const file = join(process.env.DOCKER_CONFIG ?? join(homedir(), '.docker'), 'config.json');
  if (!existsSync(file)) return new Map();
  const { auths = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
    auths?: Record<string, { auth?: string }>;
  };
  return new Map(
    Object.entries(auths).flatMap(([key, { auth }]) => {
      // Docker stores those of its own registry by the address of a former API.
      const host = key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
      return auth ? [[host.replace(/^index\.(?=docker\.io$)/, ''), auth] as const] : [];
    }),
  );
}

try {
  const [command, ...rest] = positionals;
  if (command === 'update') await update(rest);
  else if (command === 'check' && rest.length === 0) process.exitCode = check() ? 0 : 1;
  else if (command === 'write' && rest.length === 0) write();
  else throw new ImagesError(USAGE);
} catch (error) {
  if (!(error instanceof ImagesError || error instanceof RegistryError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
