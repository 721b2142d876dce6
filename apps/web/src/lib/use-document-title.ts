import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useEffect } from 'react';

export function pageTitle(title: string | undefined): string {
  return title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
}

/** For a page whose title is known only with its data; the route's own title shows until then. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = pageTitle(title);
  }, [title]);
}
