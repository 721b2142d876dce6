import type { Quote } from '@callout/contract/quotes';
import { Link } from '@tanstack/react-router';
import { Banner } from '../../ui/banner.tsx';
import { useCan } from '../company/company.api.ts';

/** Why nothing can be done with a quote that has no items, and the way to them. */
export function NoItems({ quote: { id }, sentence }: { quote: Quote; sentence: string }) {
  const mayEdit = useCan('quotes.edit');
  return (
    <Banner
      tone="danger"
      actions={
        mayEdit && (
          <Link to="/quotes/$id/edit" params={{ id }} className="-my-2.5 inline-block py-2.5 font-medium underline">
            Add items
          </Link>
        )
      }
    >
      {sentence}
    </Banner>
  );
}
