import type { ContractInputs, ContractOutputs } from '@callout/contract/contract';
import type { PublicQuote } from '@callout/contract/public-quotes';
import type { QuoteStatus } from '@callout/domain/quotes/quote';
import { postJson } from '../../../lib/request.ts';
import { buildPublicPath, type PublicDocumentKind } from '../../../public-pages/public-document.ts';

export const PUBLIC_QUOTE: PublicDocumentKind<PublicQuote> = {
  path: '/public/quotes',
  isFinal: ({ accepted }) => accepted !== null,
  describeChange: (before, now) => {
    if (before.is_actionable && !now.is_actionable) return { tone: 'info', text: formatClosedNotice(now.status) };
    if (before.content_hash === now.content_hash) return null;
    return { tone: 'info', text: 'This quote has been updated. Please check it before you accept.' };
  },
};

function formatClosedNotice(status: QuoteStatus): string {
  if (status === 'accepted') return 'This quote has been accepted.';
  return status === 'rejected' ? 'This quote has been rejected.' : 'This quote has expired. It can no longer be accepted.';
}

type AcceptQuoteInput = Omit<ContractInputs['publicQuotes']['accept'], 'token'>;

export function acceptQuote(token: string, input: AcceptQuoteInput): Promise<ContractOutputs['publicQuotes']['accept']> {
  return postJson(`${buildPublicPath(PUBLIC_QUOTE, token)}/accept`, input);
}

export function rejectQuote(token: string): Promise<ContractOutputs['publicQuotes']['reject']> {
  return postJson(`${buildPublicPath(PUBLIC_QUOTE, token)}/reject`, {});
}

/** Builds the URL of a PDF with the given sections, or of the accepted copy if `sectionIds` is null. */
export function buildPublicPdfUrl(token: string, sectionIds: readonly string[] | null): string {
  return `/api${buildPublicPath(PUBLIC_QUOTE, token)}/pdf${sectionIds ? `?sections=${sectionIds.join(',')}` : ''}`;
}
