import { writeFileSync } from 'node:fs';
import { apiOperations } from '../src/http/operations.ts';
import { openApiDocument } from '../src/openapi.ts';

/** Writes contracts/openapi.json anew: `node scripts/run.mjs contracts/scripts/write-openapi.ts`. */
const document = openApiDocument(apiOperations);
writeFileSync(
  new URL('../openapi.json', import.meta.url),
  `${JSON.stringify(document, null, 2)}\n`,
);
