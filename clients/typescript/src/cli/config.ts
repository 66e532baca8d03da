import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '../client.ts';
import type { Client } from '../generated/client/types.gen.ts';
import { CommandError, type Terminal } from './command.ts';

type Env = Terminal['env'];

/** Where `npm start` serves the API. */
export const defaultUrl = 'http://localhost:8080';

export interface Login {
  baseUrl: string;
  apiKey: string;
}

const folderOf = (env: Env, variable: string, fallback: string): string =>
  join(env[variable] || join(env.HOME || homedir(), fallback), 'event-api');

/** The file of the login, in the folder for settings of XDG. */
export const configFile = (env: Env): string =>
  join(folderOf(env, 'XDG_CONFIG_HOME', '.config'), 'config.json');

/** A file of the state that commands keep, in the folder for state of XDG. */
export const stateFile = (env: Env, name: string): string =>
  join(folderOf(env, 'XDG_STATE_HOME', '.local/state'), name);

/**
 * The address and the key: those of the environment, otherwise those that `login` has stored.
 * Errors: CommandError without a key.
 */
export async function readLogin(env: Env): Promise<Login> {
  const stored = await readJsonFile<Partial<Login>>(configFile(env));
  const apiKey = env.EVENT_API_KEY || stored?.apiKey;
  if (!apiKey) {
    throw new CommandError('there is no API key: run event-api login, or set EVENT_API_KEY');
  }
  return { baseUrl: env.EVENT_API_URL || stored?.baseUrl || defaultUrl, apiKey };
}

export const connect = async ({ env }: Pick<Terminal, 'env'>): Promise<Client> =>
  createClient(await readLogin(env));

/** Returns null without the file. Errors: CommandError if it is not JSON. */
export async function readJsonFile<Content>(path: string): Promise<Content | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CommandError((error as Error).message);
  }
  try {
    return JSON.parse(text) as Content;
  } catch {
    throw new CommandError(`${path} is not JSON: delete it`);
  }
}

/**
 * Replaces a file as a whole. Only the user may read it, whatever the mode of the file before was.
 */
export async function writePrivateFile(path: string, content: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}.new`;
  await writeFile(next, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(next, path);
}
