import { join } from 'node:path';
import { root } from '../settings/settings.ts';

/** What a newcomer needs when everything is ready: addresses, the key, a line to paste, and what to do next. */
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
    `    read and try every operation:    ${baseUrl}/docs`,
    `    see what an operator can do:     ${where}npm run -s admin -- help`,
    `    stop everything, keep the data:  Ctrl-C (the data is in ${isDefault ? '.data' : dataDir})`,
    '',
  ].join('\n');
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
