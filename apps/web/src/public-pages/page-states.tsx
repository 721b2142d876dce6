import { PRODUCT_NAME, PRODUCT_URL } from '@callout/domain/product/product';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { usePublicDocument } from './public-document.ts';

interface PublicDocumentViewProps<Document> {
  page: Pick<ReturnType<typeof usePublicDocument<Document>>, 'view' | 'reload'>;
  loadingText: string;
  notFound: Omit<NotFoundPageProps, 'children'>;
  children: (document: Document) => ReactNode;
}

/** Shows the document once it is loaded. */
export function PublicDocumentView<Document>({
  page: { view, reload },
  loadingText,
  notFound,
  children,
}: PublicDocumentViewProps<Document>) {
  switch (view.state) {
    case 'loading':
      return <LoadingPage text={loadingText} />;
    case 'missing':
      return <NotFoundPage {...notFound} />;
    case 'failed':
      return (
        <NotFoundPage {...notFound}>
          <p className="mt-3 text-base text-ink-2">{view.reason}</p>
          <Button tone="primary" className="mt-5" onClick={reload}>
            Try again
          </Button>
        </NotFoundPage>
      );
    case 'loaded':
      return children(view.document);
  }
}

function LoadingPage({ text }: { text: string }) {
  return (
    <main className="mx-auto max-w-xl px-4 pt-5 lg:max-w-5xl lg:px-8 lg:pt-10">
      <p role="status" className="text-lg text-ink-2">
        {text}
      </p>
      <Skeleton className="mt-6 h-8 w-3/4" />
      <Skeleton className="mt-3 h-6 w-1/2" />
      <Skeleton className="mt-8 h-32 rounded-card" />
      <Skeleton className="mt-3 h-32 rounded-card" />
    </main>
  );
}

interface NotFoundPageProps {
  /** Heading, also used as the browser tab's title. */
  title: string;
  text: string;
  children?: ReactNode;
}

export function NotFoundPage({ title, text, children }: NotFoundPageProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-[80dvh] max-w-lg flex-col items-center justify-center px-6 text-center">
      <div role="alert">
        <h1 className="text-2xl font-semibold">{title}</h1>
        <p className="mt-2 text-lg text-ink-2">{text}</p>
        {children}
      </div>
      <PoweredBy />
    </main>
  );
}

export function PageFooter({ text }: { text: string | null }) {
  return (
    <footer className="mx-auto max-w-xl px-4 pb-8 text-center lg:max-w-5xl lg:px-8 print:pb-0">
      {text !== null && <p className="mt-4 text-lg font-medium text-ink-2">{text}</p>}
      <PoweredBy />
    </footer>
  );
}

function PoweredBy() {
  return (
    <p className="mt-6 text-sm text-ink-3">
      Powered by{' '}
      <a href={PRODUCT_URL} target="_blank" rel="noreferrer" className="-my-3 inline-block py-3 font-medium text-ink-2 underline">
        {PRODUCT_NAME}
      </a>
    </p>
  );
}
