import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as the collector received it. */
export interface CollectedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** The ids of linked spans. */
  links: string[];
  attributes: Record<string, string | number>;
  durationMs: number;
  /** 0 unset, 2 error. */
  status: number;
}

/** A trace collector that stores what it receives, or responds as a test configures. */
export async function startCollector(
  respond: RequestListener = (_, response) => response.end('{}'),
) {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    if (request.url === '/v1/traces') spans.push(...readSpans(body));
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** All requests, unparsed. */
    bodies,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

// The numbers of the protocol.
const kinds = [undefined, 'internal', 'server', 'client', 'producer', 'consumer'] as const;

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };

function readSpans(body: string): CollectedSpan[] {
  const spans: CollectedSpan[] = [];
  for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
    const service = String(readAttributes(resource.attributes)['service.name']);
    for (const span of scopeSpans.flatMap(({ spans }: { spans: unknown[] }) => spans)) {
      const { name, traceId, spanId, parentSpanId, status, links = [] } = span;
      spans.push({
        service,
        name,
        traceId,
        spanId,
        parentSpanId,
        kind: kinds[span.kind] ?? 'internal',
        links: links.map((link: { spanId: string }) => link.spanId),
        attributes: readAttributes(span.attributes),
        durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        status: status.code,
      });
    }
  }
  return spans;
}

const readAttributes = (attributes: Attribute[]): Record<string, string | number> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
  );
