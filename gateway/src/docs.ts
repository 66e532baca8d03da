import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** `/docs`: the interactive reference. It is served whole from here and fetches nothing from elsewhere. */
export async function docsRoutes(app: FastifyInstance): Promise<void> {
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Event Developer API',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      authentication: { preferredSecurityScheme: 'apiKey' },
    },
  } as Parameters<typeof scalar>[1]);
}
