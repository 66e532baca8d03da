import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { watchParent } from '@event-api/local-servers/tether';
import { runDrill } from './drill.ts';
import { guards, synchronousStandbys } from './environment/guards.ts';
import { HostsUnavailableError } from './hosts/requirements.ts';
import { namedDrill, namedDrills } from './named.ts';
import { describeReport } from './report.ts';

const say = (line: string) => console.log(line);

/** The drill needs hosts, and this machine cannot have any. Nothing was tested. */
const HOSTS_UNAVAILABLE = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '2' },
    clients: { type: 'string', default: '8' },
    without: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  say(
    'npm run drill -- [--seed n] [--minutes m] [--clients n] [--out report.json] [--without guard]',
  );
  for (const [name, { summary }] of Object.entries(namedDrills)) say(`  ${name}: ${summary}`);
  for (const [name, { summary }] of Object.entries(guards)) say(`  without ${name}: ${summary}`);
  say(`  without ${synchronousStandbys}: PostgreSQL acknowledges commits that no standby has`);
} else {
  const stopping = new AbortController();
  // The second signal exits immediately; the child processes end with their parent.
  const stop = () => (stopping.signal.aborted ? process.exit(1) : stopping.abort());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  watchParent(stop);
  try {
    const report = await runDrill({
      seed: Number(values.seed ?? randomInt(2 ** 31)),
      seconds: Number(values.minutes) * 60,
      clients: Number(values.clients),
      without: values.without,
      ...namedDrill(positionals[0]),
      say,
      signal: stopping.signal,
    });
    if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(report, null, 2));
    say(describeReport(report));
    process.exitCode = report.isBroken ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = error instanceof HostsUnavailableError ? HOSTS_UNAVAILABLE : 1;
  }
}
