import type { Contract } from '@callout/contract/contract';
import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { contractRoutes } from './contract-routes.ts';
import { createId } from './create-id.ts';
import { CallError, getRemovedFrom, isSignedOutError, toCallError } from './error-messages.ts';
import { preloadedMe } from './preloaded-me.ts';
import { withRequestTimeout } from './request.ts';
import {
  type CommandKey,
  createPersonChangeCheck,
  createSamePersonCheck,
  getCommandHeaders,
  getRequestHeaders,
  KEY_HEADER,
} from './request-identity.ts';
import { sendUntilAnswered } from './request-retries.ts';
import { announceSessionEnd } from './session-end.ts';

/** Sent along with a command; see `commands/outbox.ts`. */
interface RequestContext {
  readonly command?: CommandKey;
}

const link = new OpenAPILink<RequestContext>(contractRoutes, {
  url: () => new URL('/api', window.location.origin),
  headers: ({ context }) => ({ ...getRequestHeaders(), ...(context.command && getCommandHeaders(context.command)) }),
  fetch: async (request, init) => {
    // A mutation may change who is signed in, so discard the preloaded `me` response.
    const preloaded = isMeRequest(request) || request.method !== 'GET' ? preloadedMe.take() : undefined;
    const isRepeated = request.method === 'GET' || request.headers.has(KEY_HEADER);
    // Whatever is sent again has the same key, so that the server applies it once.
    if (!isRepeated) request.headers.set(KEY_HEADER, createId());
    const send = () => fetch(request.clone(), { ...init, signal: withRequestTimeout(request.signal) });
    const response =
      (isMeRequest(request) ? preloaded : undefined) ??
      // The outbox repeats its commands, and the query client repeats reads, unless their page has a Retry button.
      (await (isRepeated ? send() : sendUntilAnswered(send, request.signal)));
    // Without this check, a proxy's HTML page would be returned as a file.
    const type = response.headers.get('content-type');
    if (type !== null && !type.startsWith('application/json')) throw toCallError(undefined, response.status);
    return response;
  },
  customErrorResponseBodyDecoder: (body, { status }) => toCallError(body, status),
  interceptors: [({ next }) => endSessionWhenSignedOut(next())],
});

/** Typed client for every call in the contract. Only the features' `*.api.ts` files may use it. */
export const api: ContractRouterClient<Contract, RequestContext> = createORPCClient(link);

const isMeRequest = ({ method, url }: Request) => method === 'GET' && new URL(url).pathname === '/api/me';

/**
 * Announces the end of the session if the server responds "not signed in". If another person has signed in since the request was sent, the
 * response belongs to the previous session. It is then rejected as unauthenticated and doesn't end the new session.
 */
export async function endSessionWhenSignedOut<Output>(response: Promise<Output>): Promise<Output> {
  const [isSamePerson, hasSuccessor] = [createSamePersonCheck(), createPersonChangeCheck()];
  try {
    const output = await response;
    if (!hasSuccessor()) return output;
  } catch (error) {
    if (isSignedOutError(error) && isSamePerson())
      announceSessionEnd('expired', false, getRemovedFrom(error instanceof CallError ? error.data : undefined));
    if (!hasSuccessor()) throw error;
  }
  throw new CallError('UNAUTHENTICATED', { status: 401 });
}
