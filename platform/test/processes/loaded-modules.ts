// Prints the paths of the CommonJS modules that a process with a server and a client of other
// processes has loaded.
import { createRequire } from 'node:module';
import { createLogger } from '../../src/core/log.ts';
import { createHttpServer } from '../../src/http/server.ts';
import '../../src/http/traced-request.ts';

const log = createLogger({ service: 'test', level: 'info' });
createHttpServer({ log, checkResponses: true, trustRequestId: true });
process.stdout.write(Object.keys(createRequire(import.meta.url).cache).join('\n'));
