import { useCallback, useEffect, useRef, useState } from 'react';
import { formatPublicRequestError, getJson, hasPublicErrorCode, postJson, readResponse } from '../lib/request.ts';
import type { PageNotice } from './notice-banner.tsx';
import { useOpenTracking } from './use-open-tracking.ts';
import { useRefreshOnReturn } from './use-refresh-on-return.ts';

declare global {
  /** Response to the request that public/early-document.js sends before this code loads. */
  var earlyDocument: Promise<Response> | undefined;
}

/** A kind of document that its customer opens with a public link. */
export interface PublicDocumentKind<Document> {
  /** Path of the API's calls. */
  readonly path: '/public/quotes' | '/public/invoices';
  /** Returns true if the document never changes again. */
  isFinal(document: Document): boolean;
  /** Describes a change while the page is open. Returns null for changes not worth announcing, such as a new logo. */
  describeChange(before: Document, now: Document): PageNotice | null;
}

type PublicDocumentState<Document> =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'loaded'; readonly document: Document };

export const buildPublicPath = ({ path }: { readonly path: string }, token: string) => `${path}/${encodeURIComponent(token)}`;

export async function readPublicDocument<Document>(kind: PublicDocumentKind<Document>, token: string): Promise<Document> {
  const earlyResponse = globalThis.earlyDocument;
  globalThis.earlyDocument = undefined;
  return earlyResponse ? readResponse(await earlyResponse) : getJson(buildPublicPath(kind, token));
}

/** Loads the document. When the tab becomes visible again, refreshes the document and announces changes. */
export function usePublicDocument<Document>(kind: PublicDocumentKind<Document>, token: string) {
  const [view, setView] = useState<PublicDocumentState<Document>>({ state: 'loading' });
  const [notice, setNotice] = useState<PageNotice | null>(null);
  const current = view.state === 'loaded' ? view.document : null;

  const show = useCallback((document: Document, announced?: PageNotice | null) => {
    setView({ state: 'loaded', document });
    if (announced) setNotice(announced);
  }, []);
  const showMissing = useCallback(() => setView({ state: 'missing' }), []);

  const load = useCallback(() => {
    readPublicDocument(kind, token).then(show, (error: unknown) => {
      // A token that is too long fails validation, so treat INVALID_INPUT as not found too.
      const isMissing = hasPublicErrorCode(error, 'NOT_FOUND') || hasPublicErrorCode(error, 'INVALID_INPUT');
      setView(isMissing ? { state: 'missing' } : { state: 'failed', reason: formatPublicRequestError(error) });
    });
  }, [kind, token, show]);
  useEffect(load, [load]);
  const reload = () => {
    setView({ state: 'loading' });
    load();
  };

  const discardCount = useRef(0);
  /** Ignores the responses of refreshes in progress. Call it before and after a command, so that they don't hide its result. */
  const discardRefreshes = () => {
    discardCount.current += 1;
  };
  const refresh = useCallback(async () => {
    if (!current || kind.isFinal(current)) return;
    const countBefore = discardCount.current;
    try {
      const now = await readPublicDocument(kind, token);
      if (discardCount.current !== countBefore || JSON.stringify(now) === JSON.stringify(current)) return;
      show(now, kind.describeChange(current, now));
    } catch (error) {
      // Keep showing the document after any other error, such as a lost connection.
      if (hasPublicErrorCode(error, 'NOT_FOUND')) showMissing();
    }
  }, [kind, token, current, show, showMissing]);
  useRefreshOnReturn(refresh);

  const recordOpening = useCallback(() => postJson(`${buildPublicPath(kind, token)}/opened`, {}), [kind, token]);
  useOpenTracking(recordOpening, current !== null);

  return { view, current, notice, setNotice, show, showMissing, reload, refresh, discardRefreshes };
}
