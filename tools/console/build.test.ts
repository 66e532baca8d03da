import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builds } from './build.ts';

test.each(Object.values(builds))(
  'an image has $source, built with the command of npm start',
  ({ source, command }) => {
    const dockerfile = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8');
    expect(dockerfile).toContain(`RUN cd ${source} && node ${command} dist\n`);
  },
);
