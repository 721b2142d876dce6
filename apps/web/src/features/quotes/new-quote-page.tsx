import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createId } from '../../lib/create-id.ts';
import { hasErrorCode } from '../../lib/error-messages.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { saveDraftForNewRecord } from '../../lib/use-session-draft.ts';
import { RecordSkeleton } from '../../ui/skeleton.tsx';
import { useMe } from '../company/company.api.ts';
import { useCustomerPicker } from '../customers/customer-picker.tsx';
import { customerQueryOptions } from '../customers/customers.api.ts';
import { QuoteEditor, type QuoteTabProps } from './quote-editor.tsx';
import { copyDraftFields, createInitialQuoteValues, newQuoteForm, toQuoteInput } from './quote-form.ts';
import { useCreateQuote } from './quotes.api.ts';

/** `customerId` comes from the URL and is ignored if no such customer exists. */
export function NewQuotePage({ customerId = '', ...tabs }: QuoteTabProps & { customerId?: string | undefined }) {
  const presetCustomer = useQuery({ ...customerQueryOptions(customerId), enabled: customerId !== '' });
  if (presetCustomer.isLoading) return <RecordSkeleton label="Loading..." fields={8} />;
  return <NewQuoteForm key={customerId} presetCustomerId={presetCustomer.data?.id ?? ''} {...tabs} />;
}

function NewQuoteForm({ presetCustomerId, ...tabs }: QuoteTabProps & { presetCustomerId: string }) {
  const navigate = useNavigate();
  const create = useCreateQuote();
  const person = useMe().user.id;
  /** Created once per form and saved with the draft, so that a retry after a lost response doesn't create a second quote. */
  const [id, setId] = useState(createId);
  const [initial] = useState(() => createInitialQuoteValues(presetCustomerId));
  const editor = useRecordForm({
    definition: newQuoteForm,
    initial,
    person,
    part: presetCustomerId,
    draftOptions: {
      recordId: () => id,
      restoreRecordId: setId,
      copyFields: copyDraftFields,
    },
    save: (values) => create.mutateAsync({ ...toQuoteInput(values), id, customer_id: values.customer_id }),
    onSaved: (quote, unsavedEdits) => {
      // Move edits made during the save to the saved quote. Otherwise, the next new quote would restore them, under this quote's id.
      editor.onLeaving(true);
      return openQuote(quote.id, saveDraftForNewRecord(person, `/quotes/${quote.id}/edit`, unsavedEdits));
    },
    onFailed: (error) => {
      // An earlier request saved the quote and only its response was lost, so move later edits to the saved quote.
      if (!hasErrorCode(error, 'ID_TAKEN')) return;
      const { customer_id: _customer, ...typed } = form.getValues();
      saveDraftForNewRecord(person, `/quotes/${id}/edit`, typed);
      editor.onLeaving(true);
      void openQuote(id, true);
    },
  });
  const openQuote = (quoteId: string, isUnsaved: boolean) =>
    navigate({ to: isUnsaved ? '/quotes/$id/edit' : '/quotes/$id', params: { id: quoteId }, replace: true, ignoreBlocker: true });
  const { form } = editor;
  const { picker, sheet } = useCustomerPicker(form, { isLocked: presetCustomerId !== '' });
  return (
    <>
      <QuoteEditor
        {...tabs}
        editor={editor}
        title="New Quote"
        saveLabel="Create Quote"
        savingLabel="Creating..."
        customer={picker}
        onDiscard={() => {
          setId(createId());
          editor.discard();
        }}
      />
      {sheet}
    </>
  );
}
