import type { ContractInputs, ContractOutputs } from '@callout/contract/contract';
import type { PublicQuote } from '@callout/contract/public-quotes';
import { getJson, postJson, readResponse } from '../../../lib/request.ts';

type AcceptInput = Omit<ContractInputs['publicQuotes']['accept'], 'token'>;

declare global {
  /** The quote that public/early-quote.js asked for before this code was loaded. */
  var earlyQuote: Promise<Response> | undefined;
}

const pathOf = (token: string) => `/public/quotes/${encodeURIComponent(token)}`;

export async function readQuote(token: string): Promise<PublicQuote> {
  const early = globalThis.earlyQuote;
  globalThis.earlyQuote = undefined;
  return early ? readResponse(await early) : getJson(pathOf(token));
}

export function acceptQuote(token: string, input: AcceptInput): Promise<ContractOutputs['publicQuotes']['accept']> {
  return postJson(`${pathOf(token)}/accept`, input);
}

export function rejectQuote(token: string): Promise<ContractOutputs['publicQuotes']['reject']> {
  return postJson(`${pathOf(token)}/reject`, {});
}

export function recordOpening(token: string): Promise<unknown> {
  return postJson(`${pathOf(token)}/opened`, {});
}

/** The PDF of a choice; without one, of what was accepted. */
export function pdfUrl(token: string, sectionIds: readonly string[] | null): string {
  return `/api${pathOf(token)}/pdf${sectionIds ? `?sections=${sectionIds.join(',')}` : ''}`;
}
