import type { Customer } from '@callout/contract/customers';
import { useEffect, useRef } from 'react';
import { localDate, localDateTime } from '../../lib/local-date.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';
import { UnsavedChanges } from '../../ui/unsaved-changes.tsx';
import { CustomerConflict } from './customer-conflict.tsx';
import { CustomerFormFields } from './customer-form-fields.tsx';
import { useCustomerEditor } from './use-customer-editor.ts';

/**
 * The customer's fields, shown and edited in one place; the bar with Save appears with the first change.
 * `gone`: deleted meanwhile. What was typed can still be read and copied, but nothing offers to save it.
 */
export function CustomerDetails({ customer, gone }: { customer: Customer; gone: boolean }) {
  const editor = useCustomerEditor(customer);
  const { form, submit, saving, dirty, conflict } = editor;
  const place = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The bar with the pressed button is gone: the keyboard goes on from the form instead of from the top of the page.
    if (!dirty && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [dirty]);
  return (
    <>
      {conflict && (
        <CustomerConflict differences={conflict} saving={saving} onLoadTheirs={editor.loadTheirs} onSaveMine={editor.saveMine} />
      )}
      {editor.changedElsewhere && (
        <Banner className="mb-4" actions={<Button onClick={editor.compare}>Compare</Button>}>
          Somebody else changed this customer while you were typing. What you typed is still here.
        </Banner>
      )}
      <form
        ref={place}
        tabIndex={-1}
        noValidate
        onSubmit={submit}
        className="outline-none md:rounded-card md:bg-surface md:p-5 md:shadow-card"
      >
        <CustomerFormFields control={form.control} register={form.register} errors={form.formState.errors} withStatus />
        <p className="mt-4 text-sm text-ink-3">
          Added {localDate(customer.created_at)}
          {customer.last_interaction && ` · Last interaction ${localDateTime(customer.last_interaction)}`}
        </p>
        {dirty && !conflict && !gone && <SaveBar saving={saving} onDiscard={editor.discard} />}
      </form>
      <UnsavedChanges isDirty={editor.isDirty} />
    </>
  );
}
