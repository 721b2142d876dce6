import type { PublicInvoice } from '@callout/contract/public-invoices';
import { useCallback, useEffect, useState } from 'react';
import { isRefusedWith, requestFailureText } from '../../../lib/request.ts';
import type { PageNotice } from '../../../public-pages/notice-banner.tsx';
import { useRefreshOnReturn } from '../../../public-pages/use-refresh-on-return.ts';
import { readInvoice } from './invoices-public.api.ts';

export type InvoiceView =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'shown'; readonly invoice: PublicInvoice };

/** The invoice behind a token; a tab that comes back into view says what has become of it. */
export function usePublicInvoice(token: string) {
  const [view, setView] = useState<InvoiceView>({ state: 'loading' });
  const [notice, setNotice] = useState<PageNotice | null>(null);

  const load = useCallback(() => {
    readInvoice(token).then(
      (invoice) => setView({ state: 'shown', invoice }),
      (error: unknown) => {
        // What is too long for a token is refused as input.
        const isMissing = isRefusedWith(error, 'NOT_FOUND') || isRefusedWith(error, 'INVALID_INPUT');
        setView(isMissing ? { state: 'missing' } : { state: 'failed', reason: requestFailureText(error) });
      },
    );
  }, [token]);

  useEffect(load, [load]);

  const shown = view.state === 'shown' ? view.invoice : null;
  const refresh = useCallback(async () => {
    if (!shown) return;
    try {
      const invoice = await readInvoice(token);
      if (JSON.stringify(invoice) === JSON.stringify(shown)) return;
      setView({ state: 'shown', invoice });
      const text = changeSentence(shown, invoice);
      if (text !== null) setNotice({ tone: invoice.state === 'paid' ? 'ok' : 'info', text });
    } catch (error) {
      // Without a connection what is shown stays.
      if (isRefusedWith(error, 'NOT_FOUND')) setView({ state: 'missing' });
    }
  }, [shown, token]);

  useRefreshOnReturn(refresh);

  const reload = () => {
    setView({ state: 'loading' });
    load();
  };

  return { view, notice, reload };
}

/** Null for changes that need no words, such as another logo. */
function changeSentence(before: PublicInvoice, now: PublicInvoice): string | null {
  if (before.state !== now.state && now.state === 'paid') return 'This invoice has been paid. Thank you!';
  if (before.state !== now.state && now.state === 'canceled') return 'This invoice has been canceled.';
  if (now.paid_amount !== before.paid_amount) return 'Payments on this invoice have been updated.';
  const billed = ({ document, request }: PublicInvoice) => JSON.stringify([document, request]);
  return billed(before) === billed(now) ? null : 'This invoice has been updated.';
}
