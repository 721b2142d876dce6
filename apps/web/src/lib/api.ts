import { routes } from 'virtual:contract-routes';
import type { ContractClient } from '@callout/contract/contract';
import { answerOf, requestFor } from './contract-call.ts';
import { isSignedOut } from './error-messages.ts';
import { announceSessionEnd } from './session-end.ts';

/** After this a request counts as lost: long enough for two bars of signal, short enough not to be stared at. */
const TIMEOUT_MS = 20_000;

type Route = (typeof routes)[string][string];
type Call = (input?: Record<string, unknown>, options?: { signal?: AbortSignal }) => Promise<unknown>;

const callOf =
  (route: Route): Call =>
  async (input, options) => {
    const { url, headers, ...init } = requestFor(route, input);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(`/api${url}`, {
        ...init,
        headers: { ...headers, accept: 'application/json', 'x-callout-client': 'callout-web' },
        credentials: 'same-origin',
        signal: options?.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      });
      return await answerOf(response);
    } catch (error) {
      if (isSignedOut(error)) announceSessionEnd('expired');
      throw error;
    }
  };

const calls = Object.entries(routes).map(([feature, named]) => [
  feature,
  Object.fromEntries(Object.entries(named).map(([name, route]) => [name, callOf(route)])),
]);

/**
 * Every call of the contract, typed by it. Only `*.api.ts` files of features call it. By hand, because the ready-made
 * link weighs a tenth of the first load and our calls need none of its other formats.
 */
export const api = Object.fromEntries(calls) as ContractClient;
