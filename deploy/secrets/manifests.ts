import type { SecretContent } from './contents.ts';

/** A Secret of Kubernetes. */
export interface SecretManifest {
  apiVersion: 'v1';
  kind: 'Secret';
  metadata: { name: string; namespace: string; labels: Record<string, string> };
  type: string;
  /** Base64. `kubectl apply` would leave a removed key of `stringData` in the Secret. */
  data: Record<string, string>;
}

/** The readers with the superuser of a PostgreSQL server: the shared one, or that of a process. */
const isPostgres = (reader: string): boolean => /^postgres(-|$)/.test(reader);

/** One Secret for each reader, in this namespace. Settings and files become keys. */
export function secretManifests(
  contents: Record<string, SecretContent>,
  namespace = 'event-api',
): SecretManifest[] {
  return Object.entries(contents).map(([reader, { settings, files }]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `event-api-${reader}`,
      namespace,
      // CloudNativePG applies a changed password of its superuser only from a Secret with this
      // label.
      labels: {
        'app.kubernetes.io/part-of': 'event-api',
        ...(isPostgres(reader) && { 'cnpg.io/reload': 'true' }),
      },
    },
    type: isPostgres(reader) ? 'kubernetes.io/basic-auth' : 'Opaque',
    data: Object.fromEntries(
      Object.entries({ ...settings, ...files }).map(([key, value]) => [key, toBase64(value)]),
    ),
  }));
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64');
