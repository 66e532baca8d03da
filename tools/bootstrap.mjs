// Runs one of the project's scripts on the Node it is made for, whatever Node (20 or later) the machine has:
// brings that Node and pnpm from npm into .toolchain/, installs the workspace, and hands over.
// Plain JavaScript without dependencies, because nothing else is there when it starts.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const NODE = '24.21.0';
const PNPM = '12.21.0';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const toolchain = join(root, '.toolchain');
const tools = join(toolchain, `node-${NODE}-pnpm-${PNPM}-${process.platform}-${process.arch}`);
const toolsBin = join(tools, 'node_modules/.bin');
const installStamp = join(root, 'node_modules/.installed');
// Stays behind when an installation is killed: what is there then cannot be trusted.
const installMark = join(toolchain, 'installing');

/** The children to pass signals on to. */
const running = new Set();

function environment() {
  // What npm says about our own package would send the npm and pnpm below into the wrong folder.
  const foreign = /^npm_(package_|lifecycle_|config_local_prefix$|config_prefix$|command$)/i;
  const entries = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const path = [toolsBin, join(root, 'node_modules/.bin'), process.env.PATH];
  return {
    NODE_COMPILE_CACHE: join(toolchain, 'compile-cache'),
    ...Object.fromEntries(entries),
    PATH: path.join(delimiter),
    EVENT_API_PARENT_PID: String(process.pid),
  };
}

/** The packages that can bring Node here, the best first. */
function nodePackages() {
  const { platform, arch } = process;
  const direct = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return [`${direct}-${platform}-${arch}@${NODE}`, `node@${NODE}`];
}

/** Runs a command quietly, says every few seconds that it is still at it, and shows its output only when it fails. */
async function step(title, command, args, options = {}) {
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(0);
  const timer = setInterval(() => say(`${title} ... ${seconds()} s`), 5000);
  say(`${title} ...`);
  const [program, ...words] = [...killWithParent(), command, ...args];
  const child = spawn(program, words, { cwd: root, env: environment(), ...options });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (output += part));
  const ending = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
  running.delete(child);
  clearInterval(timer);
  if (ending !== 0) throw new Error(`${title}: ${command} failed (${ending})\n${output.trim()}`);
  say(`${title}: done in ${seconds()} s`);
}

/** Where the kernel can do it, a command ends with us even when we are killed: nobody goes on writing. */
function killWithParent() {
  const words = ['setpriv', '--pdeathsig', 'KILL'];
  const { status } = spawnSync(words[0], [...words.slice(1), 'true'], { stdio: 'ignore' });
  return status === 0 ? words : [];
}

function say(line) {
  process.stderr.write(`[setup] ${line}\n`);
}

/** Brings Node and pnpm. Complete when the folder has its name: it is filled under another one. */
async function ensureTools() {
  fs.mkdirSync(toolchain, { recursive: true });
  removeAbandonedDrafts();
  if (fs.existsSync(tools)) return;
  let failure;
  for (const nodePackage of nodePackages()) {
    const draft = `${tools}.${process.pid}.draft`;
    fs.rmSync(draft, { recursive: true, force: true });
    fs.mkdirSync(draft, { recursive: true });
    fs.writeFileSync(join(draft, 'package.json'), '{ "private": true }');
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
    const packages = [nodePackage, `pnpm@${PNPM}`];
    try {
      await step(
        `fetching Node ${NODE} and pnpm ${PNPM} from npm, once`,
        'npm',
        ['install', '--prefix', draft, '--save-exact', ...quiet, ...packages],
        { cwd: draft },
      );
      await step('trying them', join(draft, 'node_modules/.bin/node'), ['--version']);
      fs.renameSync(draft, tools);
      return;
    } catch (error) {
      // A second run, started at the same time, may have been quicker.
      if (fs.existsSync(tools)) return;
      failure ??= error;
    } finally {
      fs.rmSync(draft, { recursive: true, force: true });
    }
  }
  throw failure;
}

/** Drafts of runs that were killed; those of living ones are named after their process. */
function removeAbandonedDrafts() {
  for (const name of fs.readdirSync(toolchain)) {
    const [, pid] = /\.(\d+)\.draft$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    fs.rmSync(join(toolchain, name), { recursive: true, force: true });
  }
}

/** Folders of the workspace: the root and those with a package.json, at most two levels down. */
function packageFolders(folder = root, depth = 0) {
  const below = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => {
    return entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
  });
  const own = fs.existsSync(join(folder, 'package.json')) ? [folder] : [];
  if (depth === 2) return own;
  return [...own, ...below.flatMap(({ name }) => packageFolders(join(folder, name), depth + 1))];
}

/** Changes with anything that an installation depends on. */
function installationHash(folders) {
  const hash = createHash('sha256').update(`${NODE} ${PNPM} ${process.platform} ${process.arch}`);
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => join(root, name));
  for (const file of [...files, ...folders.map((folder) => join(folder, 'package.json')).sort()]) {
    hash.update(file.slice(root.length)).update(fs.readFileSync(file));
  }
  return hash.digest('hex');
}

async function ensureWorkspace() {
  const folders = packageFolders();
  const wanted = installationHash(folders);
  const isInstalled = () => {
    const stamp = fs.existsSync(installStamp) && fs.readFileSync(installStamp, 'utf8');
    return stamp === wanted && !fs.existsSync(installMark);
  };
  if (isInstalled()) return;
  fs.mkdirSync(toolchain, { recursive: true });
  const unlock = await lockInstallation();
  try {
    if (isInstalled()) return;
    if (fs.existsSync(installMark)) {
      say('the last installation was interrupted: starting it anew');
      for (const folder of folders) {
        fs.rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
      }
    }
    fs.writeFileSync(installMark, '');
    await step('installing the workspace', join(toolsBin, 'pnpm'), [
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
    ]);
    fs.writeFileSync(`${installStamp}.draft`, wanted);
    fs.renameSync(`${installStamp}.draft`, installStamp);
    fs.rmSync(installMark);
  } finally {
    unlock();
  }
}

/** Two installations at once would tread on each other: the second waits here for the first. */
async function lockInstallation() {
  const lock = join(toolchain, 'install.lock');
  for (let isReported = false; ; await wait(200)) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(lock, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(lock)) fs.rmSync(lock, { force: true });
    else if (!isReported) say('waiting for an installation that another process began');
    isReported = true;
  }
}

function isStale(lock) {
  try {
    const holder = fs.readFileSync(lock, 'utf8');
    // Empty: its holder is about to write it.
    return holder !== '' && !isAlive(Number(holder));
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Ends with the script's own exit code; passes signals on, and a vanished npm counts as one. */
function handOver() {
  const [script, ...args] = process.argv.slice(2);
  const node = join(toolsBin, 'node');
  const child = spawn(node, [script, ...args], {
    stdio: 'inherit',
    cwd: root,
    env: environment(),
  });
  running.add(child);
  child.once('error', (error) => fail(error));
  child.once('exit', (code) => process.exit(code ?? 1));
}

function passSignalsOn() {
  const pass = (signal) => {
    if (running.size === 0) process.exit(1);
    for (const child of running) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => pass(signal));
  // npm killed outright cannot pass anything on. Started from a shell, we may outlive it.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && pass('SIGTERM'), 500).unref();
}

function fail(error) {
  say(error.message);
  process.exit(1);
}

passSignalsOn();
try {
  if (process.platform === 'win32') throw new Error('on Windows, please run this inside WSL');
  if (process.argv.length < 3)
    throw new Error('usage: node tools/bootstrap.mjs <script> [arguments]');
  await ensureTools();
  await ensureWorkspace();
  handOver();
} catch (error) {
  fail(error);
}
