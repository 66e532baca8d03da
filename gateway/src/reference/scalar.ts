import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

export interface ScalarFiles {
  html: string;
  script: string;
}

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

/**
 * The page and the script of the reference. Scalar's plugin sends the script as a new string per response, so the
 * gateway takes both files from the plugin once and serves them itself.
 */
export async function readScalarFiles(): Promise<ScalarFiles> {
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
  return { html: page.body, script: script.body };
}
