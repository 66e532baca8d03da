import { join } from 'node:path';
import { root } from '../settings/settings.ts';

/** The text shown when everything is ready: addresses, the API key, an example request, and next steps. */
export function banner(platform: { baseUrl: string; demoKey: string; dataDir: string }): string {
  const { baseUrl, demoKey, dataDir } = platform;
  const isDefault = dataDir === join(root, '.data');
  const where = isDefault ? '' : `DATA_DIR=${quoted(dataDir)} `;
  return [
    '',
    `  Base URL  ${baseUrl}`,
    `  Docs      ${baseUrl}/docs`,
    `  API key   ${demoKey}`,
    '',
    `  curl -H 'Authorization: Bearer ${demoKey}' ${baseUrl}/v1/events`,
    '',
    '  Next',
    `    read and try all operations:     ${baseUrl}/docs`,
    `    watch the change feed:           ${where}npm run -s watch`,
    `    list the operator commands:      ${where}npm run -s admin -- help`,
    `    stop everything, keep the data:  Ctrl-C (the data is in ${isDefault ? '.data' : dataDir})`,
    '',
  ].join('\n');
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
