import { writeFileSync } from 'node:fs';
import { budgets } from './budgets.ts';
import { timeoutsDocument } from './document.ts';
import { readTimeouts } from './values.ts';

/** Writes docs/timeouts.md: `node tools/bootstrap.mjs tools/timeouts/write-document.ts`. */
writeFileSync(
  new URL('../../docs/timeouts.md', import.meta.url),
  timeoutsDocument(readTimeouts(), budgets),
);
