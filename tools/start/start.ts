import { rmSync } from 'node:fs';
import { lockDataDir } from '@event-api/local-servers/data-dir-lock';
import { portError } from '@event-api/local-servers/ports';
import { createSupervisor } from '@event-api/local-servers/supervise';
import { watchParent } from '@event-api/local-servers/tether';
import { build } from '../console/build.ts';
import { startPlatform } from '../platform/platform.ts';
import { platformFilePath, writePlatformFile } from '../settings/platform-file.ts';
import { readStartSettings, type StartSettings } from '../settings/settings.ts';
import { createProgress } from '../terminal/progress.ts';
import { banner } from './banner.ts';
import { seedInThread } from './seed.ts';
import { inspected, readWatch, restartOnChange } from './watch-sources.ts';

const write = (line: string) => process.stdout.write(`${line}\n`);
const progress = createProgress(write);
const supervisor = createSupervisor(progress.say);
const stopping = new AbortController();
const undo: (() => void)[] = [];
let isReady = false;

/** Stops everything in reverse order of start. A second Ctrl-C has no effect. */
async function stop(exitCode: number): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  await supervisor.stopAll();
  for (const step of undo.toReversed()) step();
  process.exit(exitCode);
}

function stopOnSignal(): void {
  if (!stopping.signal.aborted) progress.say('stopping');
  void stop(0);
}

/** Restarts of `npm run dev` that have not ended. */
let restarts = 0;
let hiddenWarnings = 0;

/** A process that restarts is unreachable, of which the others warn with every request. */
function hideWarnings(until: Promise<unknown>): void {
  restarts += 1;
  void until.then(() => {
    restarts -= 1;
    if (restarts > 0 || hiddenWarnings === 0) return;
    progress.say(`${hiddenWarnings} warnings during the restart are not shown`);
    hiddenWarnings = 0;
  });
}

/** Warnings until everything is ready. They are shown only if the start fails. */
const earlyWarnings: string[] = [];
const maxEarlyWarnings = 200;

/**
 * Until everything is ready, only lines that explain a failure are shown, so that the addresses
 * stay visible. Warnings wait: processes that start together warn of one another.
 */
function showLine(settings: StartSettings) {
  const showsAll = process.env.LOG_LEVEL !== undefined && settings.LOG_LEVEL !== 'info';
  return (name: string, line: string) => {
    const [, level = ''] = /^\{"level":"(\w+)"/.exec(line) ?? [];
    const text = `${name.padEnd(8)} | ${line}`;
    if (isReady && restarts > 0 && level === 'warn' && !showsAll) hiddenWarnings += 1;
    else if (isReady || showsAll || !['trace', 'debug', 'info', 'warn'].includes(level))
      write(text);
    else if (level === 'warn' && earlyWarnings.length < maxEarlyWarnings) earlyWarnings.push(text);
  };
}

async function start(): Promise<void> {
  const watch = readWatch(process.argv.slice(2));
  const settings = readStartSettings();
  undo.push(lockDataDir(settings.DATA_DIR));
  await requireFreePort(settings.PORT);
  const onLine = showLine(settings);
  const { signal } = stopping;
  const platform = await startPlatform({
    settings,
    withConsole: true,
    supervisor: { ...supervisor, start: (spec) => supervisor.start(inspected(watch, spec)) },
    progress,
    onLine,
    signal,
  });
  const { baseUrl, internalUrls, keys, redisUrl, databaseUrls } = platform;
  // Written before the demo data is created, so that admin commands work as soon as the processes
  // are ready.
  const file = { pid: process.pid, baseUrl, internalUrls, redisUrl, databaseUrls };
  undo.push(() => rmSync(platformFilePath(settings.DATA_DIR), { force: true }));
  writePlatformFile(settings.DATA_DIR, file);
  const { consoleUrl } = platform.console ?? { consoleUrl: '' };
  const seeding = {
    ...{ dataDir: settings.DATA_DIR, internalUrls, redisUrl, consoleUrl },
    privateJwk: keys.private.admin,
    // The gateway listens on 127.0.0.1; `localhost` may resolve to another address.
    gatewayUrl: `http://127.0.0.1:${settings.PORT}`,
    demoKey: settings.DEMO_API_KEY,
  };
  const demoKey = await seedInThread(seeding, progress, signal);
  progress.say('ready');
  // Nobody waits for it: the compiler takes seconds.
  build('client', signal).catch((error: Error) => {
    if (!signal.aborted) progress.say(`${error.message}\n/docs/client.tgz is not served`);
  });
  write(banner({ baseUrl, consoleUrl, demoKey, dataDir: settings.DATA_DIR }));
  isReady = true;
  if (watch) {
    const say = progress.say;
    restartOnChange(watch, { supervisor, say, onRestart: hideWarnings, signal });
  }
}

async function requireFreePort(port: number): Promise<void> {
  const reason = await portError(port);
  if (reason === undefined) return;
  const problem =
    reason === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${reason})`;
  throw new Error(`port ${port} ${problem}: choose another one, PORT=${port + 1} npm start`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopOnSignal);
watchParent(stopOnSignal);

try {
  await start();
} catch (error) {
  // Errors during the stop are a result of the stop.
  if (!stopping.signal.aborted) {
    for (const warning of earlyWarnings) write(warning);
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
    await stop(1);
  }
}
