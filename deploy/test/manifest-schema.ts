import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'schemas', file), 'utf8'));
const [ofKubernetes, ofOperators] = [read('kubernetes.json'), read('custom-resources.json')];
const schemas = {
  kinds: { ...ofKubernetes.kinds, ...ofOperators.kinds },
  definitions: { ...ofKubernetes.definitions, ...ofOperators.definitions },
};
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'kubernetes', definitions: schemas.definitions });

/** What the schemas of Kubernetes reject in a manifest; undefined if it is valid. */
export function manifestProblems(manifest: { apiVersion: string; kind: string }): unknown {
  const definition = schemas.kinds[`${manifest.apiVersion}/${manifest.kind}`];
  if (definition === undefined) return `${manifest.kind} is no kind that we use`;
  const validate = ajv.getSchema(`kubernetes#/definitions/${definition}`);
  return validate?.(manifest) ? undefined : (validate?.errors ?? 'no schema');
}
