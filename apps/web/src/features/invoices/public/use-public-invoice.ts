import type { PublicInvoice } from '@callout/contract/public-invoices';
import { useCallback, useEffect, useState } from 'react';
import { formatPublicRequestError, hasPublicErrorCode } from '../../../lib/request.ts';
import type { PageNotice } from '../../../public-pages/notice-banner.tsx';
import { useRefreshOnReturn } from '../../../public-pages/use-refresh-on-return.ts';
import { readPublicInvoice } from './invoices-public.api.ts';

export type PublicInvoiceState =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'loaded'; readonly invoice: PublicInvoice };

/** Loads the invoice. When the tab becomes visible again, refreshes the invoice and announces changes. */
export function usePublicInvoice(token: string) {
  const [view, setView] = useState<PublicInvoiceState>({ state: 'loading' });
  const [notice, setNotice] = useState<PageNotice | null>(null);

  const load = useCallback(() => {
    readPublicInvoice(token).then(
      (invoice) => setView({ state: 'loaded', invoice }),
      (error: unknown) => {
        // A token that is too long fails validation, so treat INVALID_INPUT as not found too.
        const isMissing = hasPublicErrorCode(error, 'NOT_FOUND') || hasPublicErrorCode(error, 'INVALID_INPUT');
        setView(isMissing ? { state: 'missing' } : { state: 'failed', reason: formatPublicRequestError(error) });
      },
    );
  }, [token]);

  useEffect(load, [load]);

  const displayedInvoice = view.state === 'loaded' ? view.invoice : null;
  const refresh = useCallback(async () => {
    if (!displayedInvoice) return;
    try {
      const invoice = await readPublicInvoice(token);
      if (JSON.stringify(invoice) === JSON.stringify(displayedInvoice)) return;
      setView({ state: 'loaded', invoice });
      const text = formatInvoiceChange(displayedInvoice, invoice);
      if (text !== null) setNotice({ tone: invoice.state === 'paid' ? 'ok' : 'info', text });
    } catch (error) {
      // Keep showing the invoice after any other error, such as a lost connection.
      if (hasPublicErrorCode(error, 'NOT_FOUND')) setView({ state: 'missing' });
    }
  }, [displayedInvoice, token]);

  useRefreshOnReturn(refresh);

  const reload = () => {
    setView({ state: 'loading' });
    load();
  };

  return { view, notice, reload };
}

/** Describes what changed. Returns null for changes not worth announcing, such as a new logo. */
function formatInvoiceChange(before: PublicInvoice, now: PublicInvoice): string | null {
  if (before.state !== now.state && now.state === 'paid') return 'This invoice has been paid. Thank you!';
  if (before.state !== now.state && now.state === 'canceled') return 'This invoice has been canceled.';
  if (now.paid_amount !== before.paid_amount) return 'Payments on this invoice have been updated.';
  const toComparable = ({ document, request }: PublicInvoice) => JSON.stringify([document, request]);
  return toComparable(before) === toComparable(now) ? null : 'This invoice has been updated.';
}
