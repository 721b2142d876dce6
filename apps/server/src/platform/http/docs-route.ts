import { contract } from '@callout/contract/contract';
import { PRODUCT_NAME } from '@callout/domain/product/product';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { FastifyInstance } from 'fastify';
import { DOCS_CSS, docsPage } from './docs-page.ts';

/** OpenAPI 3.1 of every call: as JSON, and as a page to read. Made when first asked for. */
export function docsRoute(app: FastifyInstance): void {
  const describe = () =>
    new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(contract, {
      info: { title: PRODUCT_NAME, version: '1' },
      servers: [{ url: '/api' }],
    });
  let document: ReturnType<typeof describe> | undefined;
  const described = () => (document ??= describe());

  app.get('/api/docs/openapi.json', () => described());
  app.get('/api/docs/docs.css', (_request, reply) => reply.type('text/css').send(DOCS_CSS));
  app.get('/api/docs', async (_request, reply) => reply.type('text/html').send(docsPage(await described())));
}
