import { join } from 'node:path';
import { demoOperators } from '@event-api/contracts/identity-sandbox';
import { root } from '../settings/settings.ts';

/**
 * The text shown when everything is ready: addresses, the API key, an example request, and next
 * steps.
 */
export function banner(platform: {
  baseUrl: string;
  consoleUrl: string;
  demoKey: string;
  dataDir: string;
}): string {
  const { baseUrl, consoleUrl, demoKey, dataDir } = platform;
  const isDefault = dataDir === join(root, '.data');
  const where = isDefault ? '' : `DATA_DIR=${quoted(dataDir)} `;
  return [
    '',
    `  Base URL  ${baseUrl}`,
    `  Docs      ${baseUrl}/docs`,
    `  Console   ${consoleUrl}`,
    `            sign in without a password: ${demoSignIns}`,
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

const demoSignIns = demoOperators
  .map(({ name, role }) => `${name.split(' ')[0]} (${role ?? 'platform administrator'})`)
  .join(', ');

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
