import type { Quote } from '@callout/contract/quotes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { keepTypedLater } from '../../lib/use-draft.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { useCan, useMe } from '../company/company.api.ts';
import { DeleteQuoteDialog } from './delete-quote-dialog.tsx';
import { QuoteEditor, type QuoteTabProps } from './quote-editor.tsx';
import { quoteForm, toQuoteInput } from './quote-form.ts';
import { QuoteNotFound, QuoteStatusPill, quoteCustomer } from './quote-labels.tsx';
import { forgetQuote, quoteOptions, useCreateQuote, useDeleteQuote, useUpdateQuote } from './quotes.api.ts';

interface EditQuotePageProps extends QuoteTabProps {
  id: string;
  /** Leads from the form back to the quote. */
  onLeave: () => void;
}

export function EditQuotePage({ id, ...rest }: EditQuotePageProps) {
  const query = useQuery(quoteOptions(id));
  return (
    <QueryView query={query} inCard skeleton={<SkeletonRecord label="Loading quote details..." fields={8} />} notFound={<QuoteNotFound />}>
      {(quote) => <QuoteEditForm quote={quote} isMissing={hasCode(query.error, 'NOT_FOUND')} {...rest} />}
    </QueryView>
  );
}

function QuoteEditForm({ quote, isMissing, onLeave, ...tabs }: QuoteTabProps & { quote: Quote; isMissing: boolean; onLeave: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [update, create, remove] = [useUpdateQuote(), useCreateQuote(), useDeleteQuote()];
  /** Made once: a copy sent again after a lost answer is the same quote with the same rows. */
  const [copy] = useState(() => ({ id: newId(), rowIds: new Map<string, string>() }));
  const mayDelete = useCan('quotes.delete');
  const [isAsking, setAsking] = useState(false);
  /** Deleted elsewhere while it is open here. */
  const isGone = isMissing && remove.isIdle;
  useDocumentTitle(`Edit ${quote.title}`);
  const person = useMe().user.id;
  const editor = useRecordForm({
    definition: quoteForm,
    record: quote,
    person,
    lastingDraft: {},
    save: (values, version) =>
      isGone && quote.customer_id
        ? create.mutateAsync({ ...copyOf(toQuoteInput(values), quote, copy.rowIds), id: copy.id, customer_id: quote.customer_id })
        : update.mutateAsync({ ...toQuoteInput(values), id: quote.id, version }),
    onSaved: ({ id }, later) => {
      if (id === quote.id) return Object.keys(later).length === 0 ? onLeave() : undefined;
      // What was typed meanwhile goes on in the copy; this quote's draft ends.
      editor.onLeaving(true);
      const isUnsaved = keepTypedLater(person, `/quotes/${id}/edit`, later);
      return navigate({ to: isUnsaved ? '/quotes/$id/edit' : '/quotes/$id', params: { id }, replace: true, ignoreBlocker: true });
    },
  });
  const deleteAndLeave = async () => {
    await remove.mutateAsync(quote);
    // What was typed goes with it.
    editor.onLeaving(true);
    await navigate({ to: '/quotes', replace: true, ignoreBlocker: true });
    forgetQuote(queryClient, quote.id);
  };
  return (
    <>
      <QuoteEditor
        {...tabs}
        editor={editor}
        stored={quote}
        title="Edit Quote"
        aside={
          <span className="flex items-center gap-2.5 text-base">
            <QuoteStatusPill status={quote.shown_status} />
            {quote.quote_number}
          </span>
        }
        menu={
          mayDelete &&
          !isGone && (
            <Menu
              label="More actions"
              trigger={
                <IconButton label="More actions">
                  <Ellipsis aria-hidden="true" />
                </IconButton>
              }
              items={[{ label: 'Delete', icon: Trash2, tone: 'danger', onSelect: () => setAsking(true) }]}
            />
          )
        }
        saveLabel={isGone && quote.customer_id ? 'Save as new quote' : 'Save Changes'}
        savingLabel="Saving..."
        banner={<QuoteBanner quote={quote} isGone={isGone} />}
        customer={
          <div className="min-w-0">
            <p className="mb-1.5 text-sm font-medium">Customer</p>
            <p className="text-base font-medium lg:py-1.5 [overflow-wrap:anywhere]">{quoteCustomer(quote.customer)}</p>
          </div>
        }
        onDiscard={editor.discard}
      />
      <DeleteQuoteDialog
        isAccepted={quote.status === 'accepted'}
        open={isAsking}
        onOpenChange={setAsking}
        busy={remove.isPending}
        onDelete={deleteAndLeave}
      />
    </>
  );
}

/** With ids of its own. The files of the deleted quote went with it. */
function copyOf(input: ReturnType<typeof toQuoteInput>, { attachments }: Quote, rowIds: Map<string, string>): typeof input {
  const fresh = (id: string) => {
    const made = rowIds.get(id) ?? newId();
    rowIds.set(id, made);
    return made;
  };
  const old = new Set(attachments.map(({ id }) => id));
  return {
    ...input,
    sections: input.sections.map((section) => ({
      ...section,
      id: fresh(section.id),
      items: section.items.map((item) => ({ ...item, id: fresh(item.id) })),
    })),
    attachment_ids: input.attachment_ids.filter((id) => !old.has(id)),
  };
}

function QuoteBanner({ quote: { status, customer_id: customerId }, isGone }: { quote: Quote; isGone: boolean }) {
  if (isGone) {
    return (
      <Banner tone="warn" className="mb-4">
        This quote has been deleted. {customerId ? 'You can save your version as a new quote.' : 'Your version can no longer be saved.'}
      </Banner>
    );
  }
  if (status !== 'accepted') return null;
  return (
    <Banner tone="warn" className="mb-4">
      The customer accepted this quote. Changes here don't alter what they accepted.
    </Banner>
  );
}
