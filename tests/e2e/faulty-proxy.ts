import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to one request on its way. */
const faults = ['rejected', 'unavailable', 'lost', 'cut_off', 'silent', 'dropped'] as const;
type Fault = (typeof faults)[number];

/**
 * Starts a proxy in front of `target` that disturbs `share` of the requests: it rejects them with
 * 429 or 503, drops them, or loses the response after the request took effect: the connection
 * breaks before or within it, or it never arrives.
 */
export async function startFaultyProxy(
  target: string,
  share: number,
): Promise<{ url: string; counts: Record<Fault, number>; close: () => void }> {
  const counts = Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>;
  const server = createServer((incoming, response) => {
    const fault = Math.random() < share ? faults[Math.floor(Math.random() * faults.length)] : null;
    if (fault) counts[fault] += 1;
    void disturb(fault ?? null, target, incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, counts, close };
}

async function disturb(
  fault: Fault | null,
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(incoming);
  if (fault === 'dropped') return void response.destroy();
  if (fault === 'rejected' || fault === 'unavailable') {
    response.writeHead(fault === 'rejected' ? 429 : 503, { 'retry-after': '0' });
    return void response.end();
  }
  const { status, headers, content } = await forward(target, incoming, body);
  if (fault === 'silent') return;
  if (fault === 'lost') return void response.destroy();
  response.writeHead(status, headers);
  if (fault === null) return void response.end(content);
  response.write(content.subarray(0, content.length / 2), () => response.destroy());
}

function forward(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; content: Buffer }>(
    (resolve, reject) => {
      const outgoing = request(`${target}${url}`, { method, headers }, async (received) => {
        const content = await buffer(received);
        resolve({ status: received.statusCode ?? 0, headers: received.headers, content });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    },
  );
}
