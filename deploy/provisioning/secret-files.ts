import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes `dataDir` where it is missing, readable by its owner only. */
export function createPrivateDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}

/** Writes a file that only its owner can read. A kill at any moment leaves the old content or the new one whole. */
export function writePrivateFile(file: string, content: string): void {
  const draft = `${file}.${process.pid}.draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

/** The text of a file without white space around it; undefined where there is no such file. */
export function readTextFile(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** A random password of 43 URL-safe characters, made at the first call and kept in `dataDir` as `name`. */
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
