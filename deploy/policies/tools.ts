import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import type { Programs } from './programs.ts';
import type { Finding } from './triage.ts';

const TIMEOUT_MS = 10 * 60_000;

/** A job has a hash of its content at the end of its name. */
const withoutHash = (name: string) =>
  name.replace(/^((?:migrate|provision)\S*)-[a-z0-9]{10}$/, '$1');
const setOf = (file: string) => basename(file, '.yaml');

interface CheckovReport {
  results: {
    failed_checks: { check_id: string; check_name: string; resource: string; file_path: string }[];
  };
  summary: { parsing_errors: number };
}

/** The findings of checkov in manifests. Errors: it fails, or cannot read a file. */
export function checkovFindings({ checkov }: Programs, files: readonly string[]): Finding[] {
  const paths = files.flatMap((file) => ['--file', file]);
  const args = ['--framework', 'kubernetes', '--output', 'json', '--soft-fail'];
  // Without it, checkov reads texts about its rules from the internet.
  const text = output([...checkov, ...paths, ...args, '--quiet', '--compact', '--skip-download']);
  const { results, summary }: CheckovReport = JSON.parse(text);
  if (summary.parsing_errors > 0) throw new Error(`checkov cannot read a file\n${text}`);
  return results.failed_checks.map(({ check_id, check_name, resource, file_path }) => {
    const [kind, ...name] = resource.split('.');
    return {
      tool: 'checkov',
      rule: check_id,
      title: check_name,
      object: `${setOf(file_path)}/${kind}/${withoutHash(name.at(-1) ?? '')}`,
    };
  });
}

interface KubeScoreObject {
  file_name?: string;
  type_meta: { kind: string };
  object_meta: { name: string };
  checks: {
    check: { id: string; comment: string };
    grade: number;
    skipped: boolean;
    comments: { summary: string }[] | null;
  }[];
}

/** The grade of a rule that an object follows. */
const GOOD = 10;

/** The findings of kube-score in manifests, one file at a time. Errors: it fails. */
export function kubeScoreFindings({ kubeScore }: Programs, files: readonly string[]): Finding[] {
  return files.flatMap((file) => {
    const args = ['score', '--output-format', 'json', '--exit-one-on-warning', file];
    const found: KubeScoreObject[] = JSON.parse(output([...kubeScore, ...args], [0, 1])) ?? [];
    return found.flatMap(({ type_meta, object_meta, checks }) =>
      checks
        .filter(({ grade, skipped }) => !skipped && grade < GOOD)
        .flatMap(({ check, comments }) =>
          (comments?.length ? comments.map(({ summary }) => summary) : [check.comment]).map(
            (title) => ({
              tool: 'kube-score',
              rule: check.id,
              title,
              object: `${setOf(file)}/${type_meta.kind}/${withoutHash(object_meta.name)}`,
            }),
          ),
        ),
    );
  });
}

/** The findings of hadolint and of checkov in a Dockerfile. Errors: one of them fails. */
export function dockerfileFindings({ checkov, hadolint }: Programs, file: string): Finding[] {
  const lines: { code: string; message: string; line: number }[] = JSON.parse(
    output([...hadolint, '--no-fail', '--format', 'json', file]),
  );
  const args = ['--framework', 'dockerfile', '--output', 'json', '--soft-fail', '--file', file];
  const { results }: CheckovReport = JSON.parse(
    output([...checkov, ...args, '--quiet', '--compact', '--skip-download']),
  );
  return [
    ...lines.map(({ code, message, line }) => ({
      tool: 'hadolint',
      rule: code,
      title: message,
      object: `Dockerfile:${line}`,
    })),
    ...results.failed_checks.map(({ check_id, check_name }) => ({
      tool: 'checkov',
      rule: check_id,
      title: check_name,
      object: 'Dockerfile',
    })),
  ];
}

function output(command: readonly string[], allowed: readonly number[] = [0]): string {
  const [program = '', ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, LOG_LEVEL: 'ERROR' },
  });
  if (status === null || !allowed.includes(status))
    throw new Error(
      `${basename(program)} failed (${status})\n${error?.message ?? ''}${stderr}${stdout}`,
    );
  return stdout;
}
