import { cellPath } from '@event-api/contracts/cells';
import type { CellList } from './cells.ts';
import { authorizationPattern } from './route.rules.ts';

/** The namespace in which the default cell has the route. */
const routeNamespace = 'event-api';

/** The Service at an address such as `gateway.event-api-eu2.svc.cluster.local:8080`. */
function serviceAt(address: string): string {
  const [, name, namespace, port] = /^([\w-]+)\.([\w-]+)\.svc[\w.]*:(\d+)$/.exec(address) ?? [];
  if (!name || !namespace) throw new Error(`${address} is no Service of this cluster`);
  const elsewhere = namespace === routeNamespace ? '' : `namespace: ${namespace}, `;
  return `{ name: ${name}, ${elsewhere}port: ${port} }`;
}

/**
 * The rules of the HTTPRoute `api` for these cells, as a patch of Kustomize. The longest path wins,
 * so a path wins over a credential. Errors: an address that is no Service.
 */
export function routePatch({ default: ofDefault, cells }: CellList): string {
  const rules = Object.entries(cells).map(
    ([cell, address]) => `    - matches:
        - path: { type: PathPrefix, value: ${cellPath(cell)} }
        - headers:
            - type: RegularExpression
              name: Authorization
              value: "${authorizationPattern(cell)}"
      backendRefs:
        - ${serviceAt(address)}
`,
  );
  return `# Written by deploy/cells/write.ts from cells.json: change that, and run it again. docs/cells.md explains the routes.
- op: replace
  path: /spec/rules
  value:
${rules.join('')}    - backendRefs:
        - ${serviceAt(ofDefault)}
`;
}
