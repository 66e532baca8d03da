import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { root } from './image-tree.ts';

/** The files of a deployment in a folder of their own, which a test may change. */
export interface DeploymentCopy {
  folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
}

/** Exists until the tests of the file have run. */
export function copyOfDeployment(): DeploymentCopy {
  const folder = mkdtempSync(join(tmpdir(), 'event-api-deployment-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['package.json', 'docker-compose.yml', 'deploy'])
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.endsWith('node_modules'),
    });
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
  };
}
