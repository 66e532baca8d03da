import type { Restore } from './component.ts';

/** Where the component `tls` mounts the authority of PostgreSQL. */
const WITH_TLS = '?sslmode=verify-full&sslrootcert=/run/event-api/authorities/postgres.crt';

/** What an operator does after the manifests of restored servers are written. */
export function stepsAfter(
  restores: readonly Restore[],
  {
    overlay,
    namespace,
    folder,
    restored,
  }: { overlay: string; namespace: string; folder: string; restored: string },
): string[] {
  const addressOf = ({ name, server }: Restore) =>
    `postgres://postgres@${name}-rw:5432/app${server.hasCertificate ? WITH_TLS : ''}`;
  const options = restores.map((restore) => {
    const { process } = restore.server;
    const address = addressOf(restore);
    return process === undefined
      ? `--postgres '${address}'`
      : `--postgres-of '${process}=${address}'`;
  });
  const clusters = restores.map(({ name }) => `cluster/${name}`).join(' ');
  return [
    ...restores.map(({ name, archive }) => `${name}, from the backups of ${archive}`),
    `written to ${restored}; commit it`,
    '',
    `kubectl apply -k deploy/kubernetes/overlays/${overlay}/${folder}`,
    `kubectl wait --namespace ${namespace} --for=condition=Ready --timeout=4h ${clusters}`,
    `npm run -s secrets -- create ${options.join(' ')}`,
    `npm run -s secrets -- print --namespace ${namespace} | kubectl apply --server-side -f -`,
    `npm run -s rollout -- ${overlay} --restart`,
  ];
}
