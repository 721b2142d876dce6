import { contract } from '@callout/contract/contract';
import type { AnyContractProcedure, OpenAPI } from '@orpc/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { buildOpenApiDocument } from './openapi-document.ts';

let document: OpenAPI.Document;

beforeAll(async () => {
  document = await buildOpenApiDocument();
});

it('passes the Redocly linter without warnings', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

it('describes each schema once, under its contract name', () => {
  expect(Object.keys(document.components?.schemas ?? {})).toEqual(
    expect.arrayContaining(['Customer', 'Job', 'Quote', 'Invoice', 'NewJob', 'Error']),
  );
  const success = document.paths?.['/customers/{id}']?.get?.responses?.[200];
  expect(success).toMatchObject({ content: { 'application/json': { schema: { $ref: '#/components/schemas/Customer' } } } });
});

it('documents the session cookie and the roles that a call requires', () => {
  expect(document.components?.securitySchemes).toMatchObject({ session: { type: 'apiKey', in: 'cookie', name: 'callout.session_token' } });
  expect(document.paths?.['/customers/{id}']?.delete).toMatchObject({
    security: [{ session: [] }],
    description: 'Requires one of these roles: admin, manager.',
  });
  expect(document.paths?.['/auth/sign-in']?.post).toMatchObject({ security: [], description: 'No authentication required.' });
  expect(document.paths?.['/auth/sign-in']?.post?.responses).toMatchObject({
    401: { description: expect.stringContaining('INVALID_CREDENTIALS') as string },
  });
});

describe.each(Object.entries(contract))('the examples of %s', (_feature, calls) => {
  it.each(Object.entries<AnyContractProcedure>(calls))(
    'match the input and output schemas of %s',
    (_name, { '~orpc': { route, inputSchema, outputSchema } }) => {
      const method = (route.method ?? '').toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      const { parameters = [], requestBody, responses } = document.paths?.[route.path ?? '']?.[method] ?? {};
      const required = parameters.flatMap((parameter) =>
        !('$ref' in parameter) && parameter.required ? [[parameter.name, parameter.example]] : [],
      );
      const input: unknown = { ...Object.fromEntries(required), ...(exampleIn(requestBody) as object) };
      expect((inputSchema as z.ZodType | undefined)?.safeParse(input).error?.issues).toBeUndefined();
      const output = exampleIn(responses?.[route.successStatus ?? 200]);
      expect(output).toBeDefined();
      expect((outputSchema as z.ZodType).safeParse(output).error?.issues).toBeUndefined();
    },
  );
});

it.each([
  ['job_number', /^J2611\d{4}$/],
  ['quote_number', /^Q\d{6}$/],
  ['invoice_number', /^INV-2026-\d{4}$/],
])('every example of a %s has a valid format', (field, format) => {
  const examples = [...JSON.stringify(document).matchAll(new RegExp(`"${field}":"([^"]*)"`, 'g'))].map(([, example]) => example);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(example).toMatch(format);
});

function exampleIn(part: object | undefined): unknown {
  return (part as OpenAPI.ResponseObject | undefined)?.content?.['application/json']?.example;
}
