import { PRODUCT_NAME } from '@callout/domain/product/product';
import { useEffect } from 'react';

export function formatPageTitle(title: string | undefined): string {
  return title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
}

/** Sets the page's title once its data has loaded. Until then, the route's title is shown. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = formatPageTitle(title);
  }, [title]);
}
