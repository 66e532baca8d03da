import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCommand } from './build-console.ts';

test('the image of the console is built with the command of npm start', () => {
  const dockerfile = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');
  expect(dockerfile).toContain(`RUN cd console/web && node ${buildCommand} dist\n`);
});
