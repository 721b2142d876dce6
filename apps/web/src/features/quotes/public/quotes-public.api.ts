import type { ContractInputs, ContractOutputs } from '@callout/contract/contract';
import type { PublicQuote } from '@callout/contract/public-quotes';
import { getJson, postJson, readResponse } from '../../../lib/request.ts';

type AcceptQuoteInput = Omit<ContractInputs['publicQuotes']['accept'], 'token'>;

declare global {
  /** Response to the request that public/early-quote.js sends before this code loads. */
  var earlyQuote: Promise<Response> | undefined;
}

const buildQuotePath = (token: string) => `/public/quotes/${encodeURIComponent(token)}`;

export async function readPublicQuote(token: string): Promise<PublicQuote> {
  const earlyResponse = globalThis.earlyQuote;
  globalThis.earlyQuote = undefined;
  return earlyResponse ? readResponse(await earlyResponse) : getJson(buildQuotePath(token));
}

export function acceptQuote(token: string, input: AcceptQuoteInput): Promise<ContractOutputs['publicQuotes']['accept']> {
  return postJson(`${buildQuotePath(token)}/accept`, input);
}

export function rejectQuote(token: string): Promise<ContractOutputs['publicQuotes']['reject']> {
  return postJson(`${buildQuotePath(token)}/reject`, {});
}

export function recordQuoteOpened(token: string): Promise<unknown> {
  return postJson(`${buildQuotePath(token)}/opened`, {});
}

/** Builds the URL of a PDF with the given sections, or of the accepted copy if `sectionIds` is null. */
export function buildPublicPdfUrl(token: string, sectionIds: readonly string[] | null): string {
  return `/api${buildQuotePath(token)}/pdf${sectionIds ? `?sections=${sectionIds.join(',')}` : ''}`;
}
