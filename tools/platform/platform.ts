import { join } from 'node:path';
import {
  type CallerIssuer,
  callerIssuers,
  type Process,
  type ProcessName,
  topology,
} from '@event-api/contracts/topology';
import { loopback, type Place } from '@event-api/local-servers/place';
import { freePort } from '@event-api/local-servers/ports';
import { isHealthy } from '@event-api/local-servers/probe';
import type { ChildSpec, Supervisor } from '@event-api/local-servers/supervise';
import { killWithParent } from '@event-api/local-servers/tether';
import type { DatabaseUrls } from '@event-api/provisioning/database-urls';
import { type CallerKeys, callerKeys } from '@event-api/provisioning/keys';
import { readOrCreatePassword } from '@event-api/provisioning/secret-files';
import { build } from '../console/build.ts';
import type { StartSettings } from '../settings/settings.ts';
import type { Progress } from '../terminal/progress.ts';
import { fillCompileCache } from './compile-cache.ts';
import {
  type ConsoleAddresses,
  configureConsole,
  identitySandboxSpec,
} from './identity-sandbox.ts';
import { configureSandbox, type Sandbox, sandboxSpec } from './payment-sandbox.ts';
import { type AppUrls, prepareDatabases } from './prepare-database.ts';
import { inheritedEnvironment, type ProcessEnvironment } from './process-settings.ts';
import { currentSource, type ProcessSource } from './process-source.ts';
import { type ServerUrls, startServers } from './servers.ts';
import { waitForDependencies } from './wait-for-dependencies.ts';

// A process drains for at most ten seconds; one second is reserve.
const STOP_TIMEOUT_MS = 11_000;

export interface StartedPlatform {
  baseUrl: string;
  /** Addresses of the API listeners, by process name. */
  apiUrls: Record<string, string>;
  /** Addresses of the internal listeners, by process name. */
  internalUrls: Record<string, string>;
  redisUrl: string;
  /** The payment pages. */
  sandbox: Sandbox;
  /** Of a role that reads every table there, by process. */
  databaseUrls: DatabaseUrls<ProcessName>;
  /** The console; null if it was not started. */
  console: ConsoleAddresses | null;
  keys: CallerKeys<CallerIssuer>;
  /** How each process was started, by process name. A replica differs in its ports. */
  specs: Record<string, ChildSpec>;
  /** How to start a process on its ports from other sources. Errors: they have no such process. */
  specFrom: (source: ProcessSource, name: ProcessName) => ChildSpec;
}

interface Ports {
  api: number;
  internal: number;
}

/**
 * Starts the servers, migrates the schemas, starts all processes concurrently and resolves when
 * they are ready. `supervisor` restarts and stops them; `onLine` receives their output; `signal`
 * cancels the migrations. `appUrls` are those of databases that are provisioned and migrated
 * already. All processes are started from `source`, by default the current one. The console and its
 * identity sandbox are started only with `withConsole`, because nothing else needs them and most
 * tests are about the API. Errors: those of the servers; ChildFailedError; a migration's output; a
 * server that a process cannot use.
 */
export async function startPlatform(options: {
  settings: StartSettings;
  appUrls?: AppUrls;
  source?: ProcessSource;
  withConsole?: boolean;
  /** Where a process runs, by its name. Default: on this machine. */
  placeOf?: (name: string) => Place;
  supervisor: Supervisor;
  progress: Progress;
  onLine: (name: string, line: string) => void;
  signal: AbortSignal;
}): Promise<StartedPlatform> {
  const { settings, source = currentSource, supervisor, progress, onLine, signal } = options;
  const { withConsole = false, placeOf = () => loopback } = options;
  const isStarted = ({ name }: Process) => name !== 'console' || withConsole;
  const startDatabase = async () => {
    const started = await progress.during(titleOf(settings), () =>
      startServers(settings, supervisor, progress.say),
    );
    const migrated =
      options.appUrls ??
      (await progress.during('migrating the database', () =>
        prepareDatabases(started.databaseUrls, signal, source),
      ));
    return [started, migrated] as const;
  };
  // The browser code is built, and the processes are compiled, while the servers start and the
  // migrations run.
  const [[servers, appUrls], , [webDir, scannerDir]] = await Promise.all([
    startDatabase(),
    fillCompileCache(signal),
    withConsole
      ? progress.during('building the console and the scanner', () =>
          Promise.all([build('console', signal), build('scanner', signal)]),
        )
      : ['', ''],
  ]);
  const console = await configureConsole(settings.DATA_DIR, settings.CONSOLE_PORT);
  const ports = await choosePorts({ gateway: settings.PORT, console: console.consolePort });
  const keys = callerKeys(settings.DATA_DIR, callerIssuers);
  const sandbox = await configureSandbox(settings.DATA_DIR, placeOf('payment-sandbox'));
  const specs: Record<string, ChildSpec> = {};
  const env = { ...inheritedEnvironment(), LOG_LEVEL: settings.LOG_LEVEL };
  const first = sandboxSpec({
    sandbox,
    dataDir: settings.DATA_DIR,
    place: placeOf('payment-sandbox'),
    notifyUrl: `http://${placeOf('gateway').address}:${settings.PORT}/payments/notifications/sandbox`,
    env,
    onLine: (line) => onLine('payment-sandbox', line),
  });
  specs[first.name] = first;
  if (withConsole) {
    const onSandboxLine = (line: string) => onLine('identity-sandbox', line);
    const spec = identitySandboxSpec({ addresses: console, env, onLine: onSandboxLine });
    specs[spec.name] = spec;
  }
  const specFrom = (from: ProcessSource, name: ProcessName): ChildSpec => {
    const declared = from.topology.find((each) => each.name === name);
    if (declared === undefined) throw new Error(`${from.root} has no process ${name}`);
    const context = {
      source: from,
      settings,
      servers,
      appUrls,
      ports,
      placeOf,
      keys,
      sandbox,
      console,
      webDir,
      scannerDir,
    };
    const settingsOfProcess = environmentOf(declared, context);
    const where = { place: placeOf(name), ports: portsOf(name, ports) };
    return specOf(from, declared, settingsOfProcess, where, (line) => onLine(name, line));
  };
  for (const { name } of source.topology.filter(isStarted)) specs[name] = specFrom(source, name);
  await progress.during(`starting ${Object.keys(specs).join(', ')}`, () =>
    Promise.all(Object.values(specs).map(supervisor.start)),
  );
  const urlsOf = (listener: keyof Ports) =>
    Object.fromEntries(
      topology
        .filter(isStarted)
        .map(({ name }) => [
          name,
          `http://${placeOf(name).address}:${portsOf(name, ports)[listener]}`,
        ]),
    );
  await waitForDependencies(urlsOf('internal'), signal);
  return {
    baseUrl: `http://localhost:${settings.PORT}`,
    apiUrls: urlsOf('api'),
    internalUrls: urlsOf('internal'),
    redisUrl: servers.redisUrl,
    sandbox,
    databaseUrls: servers.databaseUrls,
    console: withConsole ? console : null,
    keys,
    specs,
    specFrom,
  };
}

function titleOf(settings: StartSettings): string {
  const own = [
    settings.DATABASE_URL === undefined ? [postgresOf(settings)] : [],
    settings.NATS_URL === undefined ? ['NATS'] : [],
    settings.REDIS_URL === undefined ? ['Redis'] : [],
  ].flat();
  return own.length > 0 ? `starting ${own.join(', ')}` : 'using existing servers';
}

const postgresOf = ({ DATABASES }: StartSettings): string =>
  DATABASES === 'each' ? 'a PostgreSQL for each process' : 'PostgreSQL';

/** Ports are chosen once, so that a restarted process listens where the others call it. */
async function choosePorts(chosen: Record<string, number>): Promise<Map<string, Ports>> {
  const ports = new Map<string, Ports>();
  for (const { name } of topology) {
    const api = chosen[name] ?? (await freePort());
    ports.set(name, { api, internal: await freePort() });
  }
  return ports;
}

function portsOf(name: string, ports: Map<string, Ports>): Ports {
  const found = ports.get(name);
  if (found === undefined) throw new Error(`there is no process ${name}`);
  return found;
}

function environmentOf(
  process: Process,
  context: {
    source: ProcessSource;
    settings: StartSettings;
    servers: ServerUrls;
    appUrls: AppUrls;
    ports: Map<string, Ports>;
    placeOf: (name: string) => Place;
    keys: CallerKeys<CallerIssuer>;
    sandbox: Sandbox;
    console: ConsoleAddresses;
    webDir: string;
    scannerDir: string;
  },
): NodeJS.ProcessEnv {
  const { source, settings, servers, appUrls, ports, placeOf, keys, sandbox, console } = context;
  const { webDir, scannerDir } = context;
  const { name } = process;
  const environment: ProcessEnvironment = {
    ...servers,
    sandbox,
    console,
    webDir,
    scannerDir,
    webhookSecretsKey: readOrCreatePassword(settings.DATA_DIR, 'webhook-secrets-key'),
    paymentSecretsKey: readOrCreatePassword(settings.DATA_DIR, 'payment-secrets-key'),
    ledgerSigningKey: readOrCreatePassword(settings.DATA_DIR, 'ledger-signing-key'),
    isProduction: inheritedEnvironment().NODE_ENV === 'production',
    apiUrlOf: (other) => `http://${placeOf(other).address}:${portsOf(other, ports).api}`,
    internalUrlOf: (other) => `http://${placeOf(other).address}:${portsOf(other, ports).internal}`,
  };
  return {
    ...inheritedEnvironment(),
    HOST: placeOf(name).address,
    PORT: String(portsOf(name, ports).api),
    INTERNAL_PORT: String(portsOf(name, ports).internal),
    LOG_LEVEL: settings.LOG_LEVEL,
    // Each process has one replica, so no client can switch to another one while it drains.
    DRAIN_IDLE_TIMEOUT_MS: '0',
    DATABASE_URL: appUrls[name],
    CALLER_PRIVATE_KEY: JSON.stringify(keys.private[name]),
    CALLER_PUBLIC_KEYS: JSON.stringify(keys.public),
    ...source.settingsOf(process, environment),
  };
}

function specOf(
  { root }: ProcessSource,
  { name, folder }: Process,
  env: NodeJS.ProcessEnv,
  { place, ports }: { place: Place; ports: Ports },
  onLine: (line: string) => void,
): ChildSpec {
  const main = join(root, folder, 'src/main.ts');
  return {
    name,
    command: [...place.enter, ...killWithParent('SIGKILL'), process.execPath, main],
    env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    startTimeoutMs: 60_000,
    isReady: () => isHealthy(`http://${place.address}:${ports.internal}/readyz`),
    onLine,
  };
}
