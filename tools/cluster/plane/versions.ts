/**
 * The Kubernetes versions that the manifests support, the oldest and the newest, each with the etcd
 * that its go.mod names. An older etcd lacks what clients need to watch: the nodes would see their
 * pods late, and lose their leases.
 */
export const supportedVersions = {
  oldest: { kubernetes: '1.35.4', etcd: '3.6.5' },
  newest: { kubernetes: '1.37.2', etcd: '3.7.0' },
} as const;

export type SupportedVersion = keyof typeof supportedVersions;

/** Plays the nodes: it accepts their pods, and says what a kubelet would say of them. */
export const kwokVersion = '0.8.0';

/** The Go modules that contain the custom resources of the manifests, and where. */
export const customResources: readonly { module: string; version: string; files: string[] }[] = [
  {
    module: 'sigs.k8s.io/gateway-api',
    version: '1.6.3',
    files: ['config/crd/standard/gateway.networking.k8s.io_*.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator',
    version: '0.93.0',
    files: [
      'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
      'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
    ],
  },
  {
    module: 'github.com/cloudnative-pg/cloudnative-pg',
    version: '1.30.0',
    files: [
      'config/crd/bases/postgresql.cnpg.io_clusters.yaml',
      'config/crd/bases/postgresql.cnpg.io_scheduledbackups.yaml',
    ],
  },
  {
    module: 'github.com/cloudnative-pg/plugin-barman-cloud',
    version: '0.15.0',
    files: ['config/crd/bases/barmancloud.cnpg.io_objectstores.yaml'],
  },
  {
    module: 'github.com/cert-manager/cert-manager',
    version: '1.21.2',
    files: [
      'deploy/crds/cert-manager.io_certificates.yaml',
      'deploy/crds/cert-manager.io_issuers.yaml',
    ],
  },
  {
    // The version of the starter in deploy/kubernetes/load/test-run, the last one that is a Go module.
    module: 'github.com/grafana/k6-operator',
    version: '1.5.0',
    files: ['config/crd/bases/k6.io_testruns.yaml'],
  },
];
