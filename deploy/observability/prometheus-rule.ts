import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['rules.yaml', 'server-rules.yaml'];
export const prometheusRuleFile = join(import.meta.dirname, 'kubernetes/prometheus-rule.yaml');

/**
 * The rules as a manifest of the Prometheus Operator. Its cluster has the servers' exporters, so it
 * has both files.
 */
export function prometheusRule(): string {
  const groups = sources.map((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    const [, content = ''] = text.split(/^groups:\n/m);
    return content.replaceAll(/^(?=.)/gm, '  ');
  });
  const head = [
    `# Written by prometheus-rule.ts from ${sources.join(' and ')}.`,
    'apiVersion: monitoring.coreos.com/v1',
    'kind: PrometheusRule',
    'metadata:',
    '  name: event-api',
    'spec:',
    '  groups:',
  ];
  return `${head.join('\n')}\n${groups.join('')}`;
}

if (import.meta.main) writeFileSync(prometheusRuleFile, prometheusRule());
