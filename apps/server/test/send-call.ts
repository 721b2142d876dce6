import { StandardBracketNotationSerializer, StandardOpenAPIJsonSerializer, StandardOpenAPISerializer } from '@orpc/openapi-client/standard';
import type { LightMyRequestResponse } from 'fastify';
import type { ContractCall } from './contract-calls.ts';
import type { TestApp } from './test-app.ts';

/** Serializes query parameters as the web app does. */
const serializer = new StandardOpenAPISerializer(new StandardOpenAPIJsonSerializer(), new StandardBracketNotationSerializer());

/** Sends a call as raw HTTP, so that tests can send input that the typed client would reject. */
export function sendCall(
  test: TestApp,
  call: ContractCall,
  input: Record<string, unknown>,
  cookie?: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const rest = { ...input };
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value ?? '')).toWellFormed());
  });
  if (call.method === 'GET') {
    const query = serializer.serialize(rest, { outputFormat: 'URLSearchParams' });
    return test.request('GET', `${path}?${String(query)}`, { cookie, headers });
  }
  return test.request(call.method, path, { cookie, body: rest, headers });
}
