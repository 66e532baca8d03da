import type { Operation } from '@event-api/contracts/operation';

/** What the pages say about an operation. */
export interface OperationLink {
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  /** Its method and path. */
  request: string;
  /** Its place in the reference. */
  href: string;
}

export function operationLink({ method, url, config }: Operation): OperationLink {
  const { operationId, summary, description = '', tag } = config;
  const path = url.replaceAll(/:(\w+)/g, '{$1}');
  const section = tag.toLowerCase().replaceAll(' ', '-');
  return {
    ...{ operationId, summary, description, tag },
    request: `${method} ${path}`,
    href: `/docs/#tag/${section}/${method}${path}`,
  };
}
