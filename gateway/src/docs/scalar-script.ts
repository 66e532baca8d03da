import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

/** The script of the interactive reference, which its plugin serves at this path. */
export async function scalarScript(): Promise<string> {
  const source = fastify();
  await source.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { body } = await source.inject('/docs/js/scalar.js');
  await source.close();
  return body;
}
