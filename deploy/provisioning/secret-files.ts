import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates `dataDir` if it does not exist, readable by its owner only. */
export function createPrivateDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/**
 * Writes a file that only its owner can read. Atomic: after a crash the file has the old or the new
 * content.
 */
export function writePrivateFile(file: string, content: string): void {
  const draft = `${file}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

/** The trimmed text of a file; undefined if the file does not exist. */
export function readTextFile(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Returns the password in the file `name` of `dataDir`. The first call generates it (43 URL-safe
 * characters).
 */
export function readOrCreatePassword(dataDir: string, name: string): string {
  const file = join(dataDir, name);
  const existing = readTextFile(file);
  if (existing) return existing;
  const password = randomPassword();
  writePrivateFile(file, password);
  return password;
}

/** 256 random bits as 43 URL-safe characters. */
export function randomPassword(): string {
  return randomBytes(32).toString('base64url');
}
