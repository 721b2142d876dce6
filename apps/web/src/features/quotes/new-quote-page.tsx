import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { hasCode } from '../../lib/error-messages.ts';
import { newId } from '../../lib/new-id.ts';
import { keepTypedLater } from '../../lib/use-draft.ts';
import { useRecordForm } from '../../lib/use-record-form.ts';
import { SkeletonRecord } from '../../ui/skeleton.tsx';
import { HAS_KEYBOARD } from '../../ui/use-browser-state.ts';
import { useMe } from '../company/company.api.ts';
import { CustomerPicker, useNewCustomer } from '../customers/customer-picker.tsx';
import { customerOptions } from '../customers/customers.api.ts';
import { QuoteEditor, type QuoteTabProps } from './quote-editor.tsx';
import { copyDraftFields, newQuoteForm, newQuoteValues, toQuoteInput } from './quote-form.ts';
import { useCreateQuote } from './quotes.api.ts';

/** `customerId`: whom the quote is for, as the link says; one that is not there counts as none. */
export function NewQuotePage({ customerId = '', ...tabs }: QuoteTabProps & { customerId?: string | undefined }) {
  const given = useQuery({ ...customerOptions(customerId), enabled: customerId !== '' });
  if (given.isLoading) return <SkeletonRecord label="Loading..." fields={8} />;
  return <NewQuoteForm key={customerId} givenId={given.data?.id ?? ''} {...tabs} />;
}

function NewQuoteForm({ givenId, ...tabs }: QuoteTabProps & { givenId: string }) {
  const navigate = useNavigate();
  const create = useCreateQuote();
  const person = useMe().user.id;
  /** Made once per form and kept with its draft: sending again after a lost answer is the same quote, not a second one. */
  const [id, setId] = useState(newId);
  const [initial] = useState(() => newQuoteValues(givenId));
  const editor = useRecordForm({
    definition: newQuoteForm,
    initial,
    person,
    part: givenId,
    lastingDraft: {
      recordId: () => id,
      restoreRecordId: setId,
      copyFields: copyDraftFields,
    },
    save: (values) => create.mutateAsync({ ...toQuoteInput(values), id, customer_id: values.customer_id }),
    onSaved: (quote, later) => {
      // What was typed meanwhile goes on there: kept here, it would be in the next new quote, under the id of this one.
      editor.onLeaving(true);
      return open(quote.id, keepTypedLater(person, `/quotes/${quote.id}/edit`, later));
    },
    onFailed: (error) => {
      // It was saved before, and only its answer was lost: what was typed since is an edit of it.
      if (!hasCode(error, 'ID_TAKEN')) return;
      const { customer_id: _customer, ...typed } = form.getValues();
      keepTypedLater(person, `/quotes/${id}/edit`, typed);
      editor.onLeaving(true);
      void open(id, true);
    },
  });
  const open = (quoteId: string, isUnsaved: boolean) =>
    navigate({ to: isUnsaved ? '/quotes/$id/edit' : '/quotes/$id', params: { id: quoteId }, replace: true, ignoreBlocker: true });
  const { form } = editor;
  const customerId = useWatch({ control: form.control, name: 'customer_id' });
  const pick = (customer: string) => {
    form.setValue('customer_id', customer, { shouldDirty: true });
    form.clearErrors('customer_id');
    // The search is gone and would take the focus along. A phone would open its keyboard.
    if (customer !== '' && window.matchMedia(HAS_KEYBOARD).matches) form.setFocus('title');
  };
  const newCustomer = useNewCustomer(pick);
  return (
    <>
      <QuoteEditor
        {...tabs}
        editor={editor}
        title="New Quote"
        saveLabel="Create Quote"
        savingLabel="Creating..."
        customer={
          <CustomerPicker
            customerId={customerId}
            onPick={pick}
            newCustomer={newCustomer}
            isFixed={givenId !== ''}
            error={form.getFieldState('customer_id', form.formState).error?.message}
          />
        }
        onDiscard={() => {
          setId(newId());
          editor.discard();
        }}
      />
      {/* Outside the form, which would hear the sheet's own form being sent. */}
      {newCustomer.sheet}
    </>
  );
}
