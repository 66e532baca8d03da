import type { ScalePlan } from './plan.ts';

/**
 * A Kustomize component that raises the autoscalers as the plan says. Committed beside the
 * manifests it holds through releases, and with Argo CD or Flux.
 */
export function componentOf({ processes }: ScalePlan, reason: string): string {
  const raised = processes.filter(({ outcome }) => outcome !== 'enough');
  return [
    `# ${reason}`,
    'apiVersion: kustomize.config.k8s.io/v1alpha1',
    'kind: Component',
    ...(raised.length === 0 ? ['patches: []'] : ['patches:']),
    ...raised.flatMap(({ name, pods }) => [
      `  - target: { kind: HorizontalPodAutoscaler, name: ${name} }`,
      `    patch: '[{ "op": "replace", "path": "/spec/minReplicas", "value": ${pods} }]'`,
    ]),
    '',
  ].join('\n');
}
