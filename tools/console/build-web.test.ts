import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildCommand, webPackages } from './build-web.ts';

test.each(Object.values(webPackages))(
  'an image has %s, built with the command of npm start',
  (folder) => {
    const dockerfile = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');
    expect(dockerfile).toContain(`RUN cd ${folder} && node ${buildCommand} dist\n`);
  },
);
