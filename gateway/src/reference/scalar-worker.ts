import { parentPort } from 'node:worker_threads';
import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

const configuration = {
  url: '/openapi.json',
  pageTitle: 'Event Developer API',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'apiKey' },
};

const source = fastify();
await source.register(scalar, {
  routePrefix: '/docs',
  configuration,
} as Parameters<typeof scalar>[1]);
const [page, script] = await Promise.all([
  source.inject('/docs/'),
  source.inject('/docs/js/scalar.js'),
]);
await source.close();
parentPort?.postMessage({ html: page.body, script: script.body });
