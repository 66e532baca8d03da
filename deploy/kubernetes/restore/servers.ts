import type { RenderedManifest } from '../release.ts';

/** A PostgreSQL server of an overlay, as its manifests have it now. */
export interface RenderedServer {
  /** The process whose server it is; undefined for the one that processes share. */
  process: string | undefined;
  /** Its name before any restore: `postgres`, or `postgres-<process>`. */
  baseName: string;
  /** Its name now: that of the last restore, if there was one. */
  name: string;
  /** The folder of the object store that it archives its log to. */
  archive: string;
  objectStore: string;
  /** Whether clients verify its certificate (the component `tls`). */
  hasCertificate: boolean;
}

/** The servers in the output of Kustomize. Errors: one has no archive. */
export const serversIn = (manifests: readonly RenderedManifest[]): RenderedServer[] =>
  manifests.filter(({ kind }) => kind === 'Cluster').map(serverOf);

function serverOf({ name, text }: RenderedManifest): RenderedServer {
  const process = /^ {6}event-api\/database: (\S+)$/m.exec(text)?.[1];
  // The archiver alone: what the server was restored from has the same fields.
  const [, archiver = ''] = /^ {2}plugins:\n((?: {2}[- ].*(?:\n|$))*)/m.exec(text) ?? [];
  const objectStore = /barmanObjectName: (\S+)$/m.exec(archiver)?.[1];
  if (objectStore === undefined) throw new Error(`the Cluster ${name} archives no log`);
  return {
    process,
    baseName: process === undefined ? 'postgres' : `postgres-${process}`,
    name,
    archive: /serverName: (\S+)$/m.exec(archiver)?.[1] ?? name,
    objectStore,
    hasCertificate: /^ {4}serverTLSSecret: /m.test(text),
  };
}

/** The name of the next server: `postgres`, `postgres-2`, `postgres-3`. */
export function nextName({ baseName, name }: RenderedServer): string {
  const number = name === baseName ? 1 : Number(name.slice(baseName.length + 1));
  return `${baseName}-${Number.isInteger(number) ? number + 1 : 2}`;
}
