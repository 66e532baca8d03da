import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse } from 'yaml';
import { root, writeManifests } from './inputs.ts';
import { MissingPrerequisite, policyPrograms } from './programs.ts';
import { checkovFindings, dockerfileFindings, kubeScoreFindings } from './tools.ts';
import { type Accepted, triage } from './triage.ts';

const EXIT_OPEN = 1;
const EXIT_NOT_TESTED = 3;
const acceptedFile = join(root, 'deploy/policies.yaml');

/** Returns whether every finding is accepted, and every accepted one is found. */
function examine(folder: string): boolean {
  const programs = policyPrograms((line) => console.log(line));
  const files = writeManifests(folder);
  const findings = [
    ...checkovFindings(programs, files),
    ...kubeScoreFindings(programs, files),
    ...dockerfileFindings(programs, join(root, 'deploy/Dockerfile')),
  ];
  const accepted: Accepted[] = parse(readFileSync(acceptedFile, 'utf8'));
  const { open, unused } = triage(findings, accepted);
  for (const { tool, rule, object, title } of open)
    console.log(`✗ ${tool} ${rule} ${object}: ${title}`);
  const file = relative(root, acceptedFile);
  for (const { rule, object } of unused)
    console.log(`✗ ${file} accepts ${rule} of ${object}, which no tool reports`);
  for (const tool of ['checkov', 'kube-score', 'hadolint']) {
    const count = findings.filter((each) => each.tool === tool).length;
    console.log(
      `${tool}: ${count} findings, ${open.filter((each) => each.tool === tool).length} not in ${file}`,
    );
  }
  return open.length + unused.length === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'event-api-policies-'));
try {
  process.exitCode = examine(folder) ? 0 : EXIT_OPEN;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof MissingPrerequisite ? EXIT_NOT_TESTED : EXIT_OPEN;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
