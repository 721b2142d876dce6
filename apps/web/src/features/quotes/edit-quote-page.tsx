import type { Quote } from '@callout/contract/quotes';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { QueryView } from '../../lib/query-view.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { saveDraftForNewRecord } from '../../lib/use-session-draft.ts';
import { Banner } from '../../ui/banner.tsx';
import { MoreMenu } from '../../ui/menu.tsx';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { useCan, useMe } from '../company/company.api.ts';
import { useCustomerPicker } from '../customers/customer-picker.tsx';
import { DeleteQuoteDialog } from './delete-quote-dialog.tsx';
import { QuoteEditor, type QuoteTabProps } from './quote-editor.tsx';
import { quoteForm, toQuoteInput } from './quote-form.ts';
import { formatQuoteCustomer, QuoteNotFound, QuoteStatusPill } from './quote-labels.tsx';
import { evictQuote, quoteQueryOptions, useCreateQuote, useDeleteQuote, useUpdateQuote } from './quotes.api.ts';

interface EditQuotePageProps extends QuoteTabProps {
  id: string;
  onLeave: () => void;
}

export function EditQuotePage({ id, ...rest }: EditQuotePageProps) {
  const query = useQuery(quoteQueryOptions(id));
  return (
    <QueryView
      query={query}
      isInCard
      skeleton={<RecordSkeleton label="Loading quote details..." fields={8} />}
      notFound={<QuoteNotFound />}
    >
      {(quote) => <EditQuoteForm quote={quote} isMissing={hasErrorCode(query.error, 'NOT_FOUND')} {...rest} />}
    </QueryView>
  );
}

function EditQuoteForm({ quote, isMissing, onLeave, ...tabs }: QuoteTabProps & { quote: Quote; isMissing: boolean; onLeave: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [update, create, remove] = [useUpdateQuote(), useCreateQuote(), useDeleteQuote()];
  /** Ids for saving a deleted quote as a copy, created once so that a retry after a lost response doesn't create a second copy. */
  const [copy] = useState(() => ({ id: createId(), rowIds: new Map<string, string>() }));
  const canDelete = useCan('quotes.delete');
  const [isDeleteDialogOpen, setDeleteDialogOpen] = useState(false);
  /** True if the quote was deleted in another tab or by someone else while this page was open. */
  const isDeleted = isMissing && remove.isIdle;
  useDocumentTitle(`Edit ${quote.title}`);
  const person = useMe().user.id;
  const editor = useRecordForm({
    definition: quoteForm,
    record: quote,
    person,
    draftOptions: {},
    save: (values, version) =>
      isDeleted && quote.customer_id
        ? create.mutateAsync({ ...copyQuoteInput(toQuoteInput(values), quote, copy.rowIds), id: copy.id, customer_id: quote.customer_id })
        : update.mutateAsync({
            ...toQuoteInput(values),
            ...(quote.customer_id === null && values.customer_id !== '' && { customer_id: values.customer_id }),
            id: quote.id,
            version,
          }),
    onSaved: ({ id }, unsavedEdits) => {
      if (id === quote.id) return Object.keys(unsavedEdits).length === 0 ? onLeave() : undefined;
      // Discard this quote's draft, because edits made during the save move to the copy.
      editor.onLeaving(true);
      const isUnsaved = saveDraftForNewRecord(person, `/quotes/${id}/edit`, unsavedEdits);
      return navigate({ to: isUnsaved ? '/quotes/$id/edit' : '/quotes/$id', params: { id }, replace: true, ignoreBlocker: true });
    },
  });
  const { picker, sheet } = useCustomerPicker(editor.form, { isOptional: true });
  const deleteAndLeave = async () => {
    await remove.mutateAsync(quote);
    // The quote is deleted, so discard its unsaved edits without asking.
    editor.onLeaving(true);
    await navigate({ to: '/quotes', replace: true, ignoreBlocker: true });
    evictQuote(queryClient, quote.id);
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
          canDelete &&
          !isDeleted && <MoreMenu items={[{ label: 'Delete', icon: Trash2, tone: 'danger', onSelect: () => setDeleteDialogOpen(true) }]} />
        }
        saveLabel={isDeleted && quote.customer_id ? 'Save as new quote' : 'Save Changes'}
        savingLabel="Saving..."
        banner={<EditQuoteBanner quote={quote} isDeleted={isDeleted} />}
        customer={
          quote.customer ? (
            <div className="min-w-0">
              <p className="mb-1.5 text-sm font-medium">Customer</p>
              <p className="text-base font-medium lg:py-1.5 [overflow-wrap:anywhere]">{formatQuoteCustomer(quote.customer)}</p>
            </div>
          ) : (
            picker
          )
        }
        onDiscard={editor.discard}
      />
      {sheet}
      <DeleteQuoteDialog
        isAccepted={quote.status === 'accepted'}
        open={isDeleteDialogOpen}
        onOpenChange={setDeleteDialogOpen}
        busy={remove.isPending}
        onDelete={deleteAndLeave}
      />
    </>
  );
}

/** Copies the input with new ids. Leaves out the stored files, which were deleted with the quote. */
function copyQuoteInput(input: ReturnType<typeof toQuoteInput>, { attachments }: Quote, rowIds: Map<string, string>): typeof input {
  const getNewId = (id: string) => {
    const newId = rowIds.get(id) ?? createId();
    rowIds.set(id, newId);
    return newId;
  };
  const deletedIds = new Set(attachments.map(({ id }) => id));
  return {
    ...input,
    sections: input.sections.map((section) => ({
      ...section,
      id: getNewId(section.id),
      items: section.items.map((item) => ({ ...item, id: getNewId(item.id) })),
    })),
    attachment_ids: input.attachment_ids.filter((id) => !deletedIds.has(id)),
  };
}

function EditQuoteBanner({ quote: { status, customer_id: customerId }, isDeleted }: { quote: Quote; isDeleted: boolean }) {
  if (isDeleted) {
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
