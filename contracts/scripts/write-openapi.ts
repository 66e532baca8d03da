import { writeFileSync } from 'node:fs';
import { apiOperations } from '../src/http/operations.ts';
import { openApiDocument } from '../src/openapi/document.ts';

/** Writes contracts/openapi.json: `node tools/bootstrap.mjs contracts/scripts/write-openapi.ts`. */
const document = openApiDocument(apiOperations);
writeFileSync(
  new URL('../openapi.json', import.meta.url),
  `${JSON.stringify(document, null, 2)}\n`,
);
