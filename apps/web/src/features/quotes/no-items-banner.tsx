import type { Quote } from '@callout/contract/quotes';
import { Link } from '@tanstack/react-router';
import { Banner } from '../../ui/banner.tsx';
import { useCan } from '../company/company.api.ts';

export function NoItemsBanner({ quote: { id }, message: sentence }: { quote: Quote; message: string }) {
  const canEdit = useCan('quotes.edit');
  return (
    <Banner
      tone="danger"
      actions={
        canEdit && (
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
