import { routes } from 'virtual:contract-routes';
import type { ContractClient } from '@callout/contract/contract';
import { createORPCClient, onError } from '@orpc/client';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { isSignedOut } from './error-messages.ts';
import { announceSessionEnd } from './session-end.ts';

/** After this a request counts as lost: long enough for two bars of signal, short enough not to be stared at. */
const TIMEOUT_MS = 20_000;

const link = new OpenAPILink(routes, {
  url: () => `${window.location.origin}/api`,
  headers: { 'x-callout-client': 'callout-web' },
  fetch: (request, init) =>
    fetch(request, { ...init, credentials: 'same-origin', signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]) }),
  interceptors: [
    onError((error) => {
      if (isSignedOut(error)) announceSessionEnd('expired');
    }),
  ],
});

/** Every call of the contract. Only `*.api.ts` files of features call it. */
export const api: ContractClient = createORPCClient(link);
