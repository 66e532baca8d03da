import type { CellList } from './cells.ts';
import { cellDown, failed, lost, malformed, retryAfterSeconds, tooSlow } from './proxy-errors.ts';
import { authorizationPattern, pathPrefixOf } from './route.rules.ts';

const backendOf = (cell: string): string => `cell_${cell}`;
const defaultBackend = 'default_cell';

function httpError(status: number, body: string, retryAfter = false): string {
  const headers = [
    'hdr Cache-Control no-store',
    ...(retryAfter ? [`hdr Retry-After ${retryAfterSeconds}`] : []),
  ];
  return `  http-error status ${status} content-type "application/json; charset=utf-8" string '${body}' ${headers.join(' ')}`;
}

function backend(name: string, title: string, address: string): string {
  return `backend ${name}
  server gateway ${address}
${httpError(503, cellDown(title).body, true)}`;
}

/**
 * The configuration of HAProxy for these cells. `bind` is the address of the entry. What is no HTTP,
 * or has too long headers, gets HAProxy's own 400: no setting changes that text.
 */
export function haproxyConfig(
  { resolver, default: address, cells }: CellList,
  bind = ':8080',
): string {
  const names = Object.keys(cells);
  return `# Written by deploy/cells/write.ts from cells.json: change that, and run it again. docs/cells.md explains the routes.
global
  # The gateway accepts headers up to 16 KiB.
  tune.bufsize 32768

resolvers names
  nameserver cluster ${resolver}:53
  hold valid 10s

defaults
  mode http
  option forwardfor
  timeout connect 2s
  timeout client 60s
  timeout http-request 15s
  timeout http-keep-alive 60s
  # Longer than any response of a gateway takes, also one that waits for changes.
  timeout server 60s
  retries 1
  # A cell whose name does not resolve stops no other one. Gateways that end close idle connections later than this.
  default-server check inter 1s fall 2 rise 1 resolvers names init-addr last,libc,none pool-purge-delay 1s
${httpError(malformed.code, malformed.body)}
${httpError(tooSlow.code, tooSlow.body)}
${httpError(failed.code, failed.body)}
  # A connection that ends before its response: the status is set below.
${httpError(502, lost.body)}
${httpError(lost.code, lost.body)}

frontend public
  # Where TLS ends here: bind :443 ssl crt /etc/haproxy/api.pem alpn h2,http/1.1
  bind ${bind}
  http-after-response set-status ${lost.code} if { status 502 }
  # A path names its cell. Otherwise the only credential does; a request with several has none.
  acl one_credential req.fhdr_cnt(authorization) eq 1
${names.map((cell) => `  use_backend ${backendOf(cell)} if { path_beg ${pathPrefixOf(cell)} }`).join('\n')}
${names.map((cell) => `  use_backend ${backendOf(cell)} if one_credential { req.fhdr(authorization) -m reg '${authorizationPattern(cell)}' }`).join('\n')}
  default_backend ${defaultBackend}

${[
  backend(defaultBackend, 'The default cell', address),
  ...Object.entries(cells).map(([cell, at]) => backend(backendOf(cell), `Cell ${cell}`, at)),
].join('\n\n')}
`;
}
