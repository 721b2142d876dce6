import type { ContractClient } from '@callout/contract/contract';
import { createORPCClient } from '@orpc/client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { contractRoutes } from './contract-routes.ts';
import { CallError, callErrorFrom, isSignedOut } from './error-messages.ts';
import { readMeOfPage } from './me-of-page.ts';
import { withTimeout } from './request.ts';
import { requestHeaders, watchPerson, watchSuccessor } from './request-person.ts';
import { announceSessionEnd } from './session-end.ts';

const takeMe = readMeOfPage();

const link = new OpenAPILink(contractRoutes, {
  url: () => new URL('/api', window.location.origin),
  headers: requestHeaders,
  fetch: async (request, init) => {
    // A command may change who is signed in: after one, the server is asked.
    const written = isForMe(request) || request.method !== 'GET' ? takeMe() : undefined;
    const response = await ((isForMe(request) ? written : undefined) ?? fetch(request, { ...init, signal: withTimeout(request.signal) }));
    // The link would hand on a proxy's page as a file.
    const type = response.headers.get('content-type');
    if (type !== null && !type.startsWith('application/json')) throw callErrorFrom(undefined, response.status);
    return response;
  },
  customErrorResponseBodyDecoder: (body, { status }) => callErrorFrom(body, status),
  interceptors: [({ next }) => endSessionWhenSignedOut(next())],
});

/** Every call of the contract, typed by it. Only `*.api.ts` files of features call it. */
export const api: ContractClient = createORPCClient(link);

const isForMe = ({ method, url }: Request) => method === 'GET' && new URL(url).pathname === '/api/me';

/**
 * Tells the application when a response says that the session has ended; a late one says nothing about the session of whoever came next,
 * and is not for them: to the page it is as if nobody had been signed in any more.
 */
export async function endSessionWhenSignedOut<Output>(response: Promise<Output>): Promise<Output> {
  const [isSamePerson, hasSuccessor] = [watchPerson(), watchSuccessor()];
  try {
    const output = await response;
    if (!hasSuccessor()) return output;
  } catch (error) {
    if (isSignedOut(error) && isSamePerson()) announceSessionEnd('expired');
    if (!hasSuccessor()) throw error;
  }
  throw new CallError('UNAUTHENTICATED', { status: 401 });
}
