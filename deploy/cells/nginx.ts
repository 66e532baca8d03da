import type { CellList } from './cells.ts';
import {
  cellDown,
  failed,
  lost,
  malformed,
  retryAfterSeconds,
  tooLarge,
  tooSlow,
} from './proxy-errors.ts';
import { authorizationPattern, pathPrefixOf } from './route.rules.ts';

/**
 * A request whose path could not be read cannot go to a named location. From outside, the path is
 * an error, too.
 */
const malformedPath = '/.malformed';

const errorLocation = (
  name: string,
  { code, body }: { code: number; body: string },
  headers = '',
) => `    location ${name} {
      default_type "application/json; charset=utf-8";
      add_header Cache-Control no-store always;
${headers}      return ${code} '${body}';
    }`;

/** The configuration of nginx for these cells. `listen` is the address of the entry. */
export function nginxConfig({ resolver, default: address, cells }: CellList, listen = '8080') {
  const names = Object.keys(cells);
  const lines = (write: (cell: string) => string) =>
    names.map((cell) => `    ${write(cell)}`).join('\n');
  return `# Written by deploy/cells/write.ts from cells.json: change that, and run it again. docs/cells.md explains the routes.
events {
  worker_connections 8192;
}

http {
  # A path names its cell. Otherwise the credential does; a header with several has none.
  map $http_authorization $cell_of_credential {
    default "";
${lines((cell) => `"~${authorizationPattern(cell)}" ${cell};`)}
  }
  map $request_uri $cell {
    default $cell_of_credential;
${lines((cell) => `"~^${pathPrefixOf(cell)}" ${cell};`)}
  }
  map $cell $gateway {
    default ${address};
${lines((cell) => `${cell} ${cells[cell]};`)}
  }
  map $cell $cell_title {
    default "The default cell";
${lines((cell) => `${cell} "Cell ${cell}";`)}
  }

  resolver ${resolver} valid=10s;
  resolver_timeout 2s;
  access_log off;
  server_tokens off;
  # The gateway accepts headers up to 16 KiB, and says itself that a body is too large.
  large_client_header_buffers 4 32k;
  client_max_body_size 2m;
  client_body_buffer_size 1m;
  client_header_timeout 15s;
  client_body_timeout 15s;

  server {
    # Where TLS ends here: listen 443 ssl; ssl_certificate … ; ssl_certificate_key …
    listen ${listen};
    merge_slashes off;
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_connect_timeout 2s;
    # Longer than any response of a gateway takes, also one that waits for changes.
    proxy_read_timeout 60s;
    # No request is sent twice.
    proxy_next_upstream off;
    error_page 400 414 494 = ${malformedPath};
    error_page 408 = @slow;
    error_page 413 = @large;
    error_page 500 = @failed;
    error_page 502 503 = @down;
    error_page 504 = @lost;

    location / {
      # The path is passed as it has arrived.
      proxy_pass http://$gateway;
    }
${[
  errorLocation(`= ${malformedPath}`, malformed),
  errorLocation('@slow', tooSlow),
  errorLocation('@large', tooLarge),
  errorLocation('@failed', failed),
  errorLocation(
    '@down',
    cellDown('$cell_title'),
    `      add_header Retry-After ${retryAfterSeconds} always;\n`,
  ),
  errorLocation('@lost', lost),
].join('\n')}
  }
}
`;
}
