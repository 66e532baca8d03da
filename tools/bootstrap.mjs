// Runs a script of this repository on a fixed version of Node. Any Node from version 20 can start
// this file: it installs the fixed Node and pnpm from npm into .toolchain/, installs the workspace,
// and then runs the script. Plain JavaScript without dependencies, because no packages are
// installed when it starts.
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
// Exists while an installation runs, and after an interrupted one, whose result is incomplete.
const installMark = join(toolchain, 'installing');

/** Child processes that signals are forwarded to. */
const running = new Set();

function environment() {
  // npm's variables for this package would make the child npm and pnpm use the wrong folder.
  const npmVariables = /^npm_(package_|lifecycle_|config_local_prefix$|config_prefix$|command$)/i;
  const entries = Object.entries(process.env).filter(([name]) => !npmVariables.test(name));
  const path = [toolsBin, join(root, 'node_modules/.bin'), process.env.PATH];
  return {
    NODE_COMPILE_CACHE: join(toolchain, 'compile-cache'),
    // The allocators of the images. Each arena of glibc keeps what was freed in it.
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_ARENA_MAX: '1',
    ...Object.fromEntries(entries),
    PATH: path.join(delimiter),
    EVENT_API_PARENT_PID: String(process.pid),
  };
}

/** npm packages that contain Node, in order of preference. */
function nodePackages() {
  const { platform, arch } = process;
  const direct = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return [`${direct}-${platform}-${arch}@${NODE}`, `node@${NODE}`];
}

/** Runs a command, reports progress every five seconds, and shows its output only if it fails. */
async function step(title, command, args, options = {}) {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
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

/**
 * With setpriv (Linux) the kernel ends the command together with this process, even after SIGKILL.
 */
function killWithParent() {
  const words = ['setpriv', '--pdeathsig', 'KILL'];
  const { status } = spawnSync(words[0], [...words.slice(1), 'true'], { stdio: 'ignore' });
  return status === 0 ? words : [];
}

function say(line) {
  process.stderr.write(`[setup] ${line}\n`);
}

/** Installs Node and pnpm into a draft folder, which is renamed when it is complete. */
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
        `downloading Node ${NODE} and pnpm ${PNPM} from npm (first run only)`,
        'npm',
        ['install', '--prefix', draft, '--save-exact', ...quiet, ...packages],
        { cwd: draft },
      );
      await step('checking Node', join(draft, 'node_modules/.bin/node'), ['--version']);
      fs.renameSync(draft, tools);
      return;
    } catch (error) {
      // A concurrent run may have been faster.
      if (fs.existsSync(tools)) return;
      failure ??= error;
    } finally {
      fs.rmSync(draft, { recursive: true, force: true });
    }
  }
  throw failure;
}

/** Removes the drafts of killed runs. The name of a draft contains its process id. */
function removeAbandonedDrafts() {
  for (const name of fs.readdirSync(toolchain)) {
    const [, pid] = /\.(\d+)\.draft$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    fs.rmSync(join(toolchain, name), { recursive: true, force: true });
  }
}

/**
 * Folders of the workspace: the root and folders with a package.json, at most two levels below it.
 */
function packageFolders(folder = root, depth = 0) {
  const below = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => {
    return entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
  });
  const own = fs.existsSync(join(folder, 'package.json')) ? [folder] : [];
  if (depth === 2) return own;
  return [...own, ...below.flatMap(({ name }) => packageFolders(join(folder, name), depth + 1))];
}

/** Hash of everything that an installation depends on. */
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
      say('the last installation was interrupted: installing again');
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

/** Waits until no other process installs, because concurrent installations conflict. */
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
    else if (!isReported) say('waiting for an installation by another process');
    isReported = true;
  }
}

function isStale(lock) {
  try {
    const holder = fs.readFileSync(lock, 'utf8');
    // An empty file belongs to a process that is about to write its id.
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

/** Runs the script and exits with its exit code. */
function runScript() {
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

/** Forwards signals to the child processes. The end of npm counts as SIGTERM. */
function forwardSignals() {
  const forward = (signal) => {
    if (running.size === 0) process.exit(1);
    for (const child of running) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => forward(signal));
  // A killed npm forwards no signal. A process started from a shell may outlive the shell.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && forward('SIGTERM'), 500).unref();
}

function fail(error) {
  say(error.message);
  process.exit(1);
}

forwardSignals();
try {
  if (process.platform === 'win32') throw new Error('on Windows, please run this inside WSL');
  if (process.argv.length < 3)
    throw new Error('usage: node tools/bootstrap.mjs <script> [arguments]');
  await ensureTools();
  await ensureWorkspace();
  runScript();
} catch (error) {
  fail(error);
}
