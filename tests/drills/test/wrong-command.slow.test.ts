import { expect, test } from 'vitest';
import { runDrill } from '../drill.ts';
import { namedDrill } from '../named.ts';
import { describeReport } from '../report.ts';
import { commandsOfSection } from './runbook-section.ts';

const seed = Number(process.env.SEED ?? 1);

test('a wrong command in the database of one process is undone, and the others go on', {
  timeout: 600_000,
}, async () => {
  const drill = namedDrill('wrong-command');
  const report = await runDrill({ ...drill, seed, seconds: 0, say: () => {} });
  if (report.isBroken) console.log(describeReport(report));
  expect(report.findings.filter(({ isBroken }) => isBroken)).toEqual([]);
  const [command] = report.injectedFaults;
  expect(report.commands).toEqual(commandsOfSection('A wrong command in a database'));
  // Only registration loses what it has acknowledged since the command.
  expect(Object.keys(command?.loss.byKind ?? {})).toContain('registration');
  expect(['registration', 'code']).toEqual(
    expect.arrayContaining(Object.keys(command?.loss.byKind ?? {})),
  );
});
