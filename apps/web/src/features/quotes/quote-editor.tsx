import type { Quote } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-format';
import { getTaxRate } from '@callout/domain/tax/tax';
import { ChevronUp } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useWatch } from 'react-hook-form';
import { RecordForm } from '../../lib/record-form.tsx';
import type { RecordEditor } from '../../lib/use-record-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useMediaQuery, WIDE_DESKTOP_UP } from '../../ui/use-browser-state.ts';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { MissingFilesBanner } from './missing-files-banner.tsx';
import { calculateDepositPreview, DepositFields, type DepositPreview } from './quote-deposit.tsx';
import { calculateQuoteFigures, type QuoteFigures } from './quote-figures.ts';
import type { QuoteFilesProps } from './quote-files.tsx';
import { formatQuoteDifference, type QuoteFileRow, type QuoteFormOutput, type QuoteFormValues, quoteForm } from './quote-form.ts';
import { QuoteSummary } from './quote-summary.tsx';
import { SectionEditor, type SectionEditorHandle } from './section-editor.tsx';
import { useFileUploads } from './use-file-uploads.ts';
import { useLineActions } from './use-line-actions.ts';

type QuoteTab = 'quote' | 'attachments';

export interface QuoteTabProps {
  tab: QuoteTab;
  onTab: (tab: QuoteTab) => void;
}

interface QuoteEditorProps extends QuoteTabProps {
  editor: RecordEditor<QuoteFormValues, QuoteFormOutput, Quote>;
  title: string;
  aside?: ReactNode;
  menu?: ReactNode;
  saveLabel: string;
  savingLabel: string;
  /** The customer picker for a new quote, or the customer's name. */
  customer: ReactNode;
  banner?: ReactNode;
  /** The latest saved version; undefined for a new quote. */
  stored?: Quote;
  onDiscard: () => void;
}

/** Form for a new or existing quote. The totals are beside the form on wide screens and in a sticky footer on smaller ones. */
export function QuoteEditor({ editor, tab, onTab, stored, ...page }: QuoteEditorProps) {
  const { form, saving, dirty } = editor;
  const { control } = form;
  const { submitCount, errors } = form.formState;
  const [sections, items, files, percentage, amount] = useWatch({
    control,
    name: ['sections', 'items', 'attachments', 'deposit_percentage', 'deposit_amount'],
  });
  const lines = useMemo(() => ({ sections, items }), [sections, items]);
  const profile = useProfile();
  const canSeeProfit = useCan('costs.view');
  const currency = stored ? stored.currency : profile?.currency;
  // An accepted quote keeps its tax rate. Saving any other quote applies the current rate.
  const rate = stored?.acceptance ? stored.tax_rate : getTaxRate(profile?.gst_percentage);
  const previousRate = stored && Number(stored.tax_rate) !== Number(rate) ? stored.tax_rate : undefined;
  // Deferring the totals keeps typing fast in quotes with hundreds of items.
  const deferredLines = useDeferredValue(lines);
  const figures = useMemo(() => calculateQuoteFigures(deferredLines, rate), [deferredLines, rate]);
  const deposit = calculateDepositPreview({ percentage, amount }, figures.totals.total_amount);
  const actions = useLineActions(form);
  const setFiles = (next: QuoteFileRow[]) => form.setValue('attachments', next, { shouldDirty: true });
  const uploads = useFileUploads({
    countFiles: () => form.getValues('attachments').length,
    isSaving: saving,
    onUploaded: (file, isLater) => {
      const before = form.getValues('attachments');
      const index = before.findIndex(({ id }) => isLater(id));
      setFiles(before.toSpliced(index === -1 ? before.length : index, 0, file));
    },
  });
  const sectionEditor = useRef<SectionEditorHandle>(null);
  const isWide = useMediaQuery(WIDE_DESKTOP_UP);
  const [isUploadDialogOpen, setUploadDialogOpen] = useState(false);

  useEffect(() => {
    // All fields except attachments are on the first tab, so switch to that tab if one of them has an error.
    if (submitCount > 0 && Object.keys(errors).some((name) => name !== 'attachments')) onTab('quote');
    // oxlint-disable-next-line react/exhaustive-deps -- Runs only after a failed save, not whenever an error changes.
  }, [submitCount]);

  /** Saves the quote unless typed text hasn't been added yet. Asks first if files are still uploading. */
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (sectionEditor.current?.rejectUnaddedText()) onTab('quote');
    else if (uploads.pendingCount > 0) setUploadDialogOpen(true);
    else editor.submit();
  };
  const { isDirty: isFormDirty } = editor;
  const { hasPending } = uploads;
  const isDirty = useCallback(() => isFormDirty() || hasPending(), [isFormDirty, hasPending]);
  const discard = () => {
    const undo = editor.takeSnapshot();
    editor.clearRestored();
    page.onDiscard();
    toast.blank('Changes discarded', { action: { label: 'Undo', run: undo } });
  };
  const save = (
    <Button type="submit" tone="primary" busy={saving} className="max-xl:flex-1">
      {saving ? page.savingLabel : page.saveLabel}
    </Button>
  );
  const attachmentsLabel = files.length + uploads.files.length > 0 ? `Attachments (${files.length + uploads.files.length})` : 'Attachments';
  return (
    <>
      <RecordForm
        editor={{ ...editor, submit, isDirty }}
        pendingUploads={uploads.pendingCount}
        recordLabel="this quote"
        frame="none"
        formatDifference={(difference) => stored && formatQuoteDifference(difference, form.getValues(), quoteForm.toValues(stored))}
        actions={
          isWide ? (
            <span hidden />
          ) : (
            <SaveFooter
              figures={figures}
              currency={currency}
              rate={rate}
              previousRate={previousRate}
              deposit={deposit}
              dirty={dirty}
              save={save}
            />
          )
        }
      >
        <div>
          <PageHeader
            title={page.title}
            aside={page.aside}
            actions={
              <>
                {dirty && <span className="text-sm text-ink-2 max-sm:sr-only">Unsaved changes</span>}
                {page.menu}
                {isWide && save}
              </>
            }
          />
          {page.banner}
          <MissingFilesBanner
            files={files.filter(({ id }) => !stored?.attachments.some((file) => file.id === id))}
            isRestored={editor.isRestored}
            saving={saving}
            dirty={dirty}
            onRemove={(missingIds) => setFiles(form.getValues('attachments').filter(({ id }) => !missingIds.has(id)))}
          />
          {editor.isRestored && (
            <Banner className="mb-4" actions={<Button onClick={discard}>Discard</Button>}>
              Your unsaved changes were restored.
            </Banner>
          )}
          <QuoteTabs attachmentsLabel={attachmentsLabel} tab={tab} onTab={onTab} />
          <div role="tabpanel" id="quote-panel" aria-labelledby="quote-tab" hidden={tab !== 'quote'} className="pt-4">
            <div className="gap-5 xl:grid xl:grid-cols-[minmax(0,1fr)_18.5rem] xl:items-start">
              <div className="min-w-0 space-y-4">
                <QuoteFields editor={editor} customer={page.customer} currency={currency} />
                <SectionEditor
                  ref={sectionEditor}
                  isVisible={tab === 'quote'}
                  lines={lines}
                  figures={figures}
                  actions={actions}
                  errors={errors}
                  submitCount={submitCount}
                  currency={currency}
                />
              </div>
              <aside aria-label="Quote totals" className="max-xl:mt-4 xl:sticky xl:top-[calc(var(--header-height)+1.25rem)]">
                <QuoteSummary
                  figures={figures}
                  currency={currency}
                  rate={rate}
                  previousRate={previousRate}
                  deposit={deposit}
                  canSeeProfit={canSeeProfit}
                />
              </aside>
            </div>
          </div>
          <div role="tabpanel" id="attachments-panel" aria-labelledby="attachments-tab" hidden={tab !== 'attachments'} className="pt-4">
            <LazyQuoteFiles isVisible={tab === 'attachments'} files={files} uploads={uploads} saving={saving} onChange={setFiles} />
          </div>
        </div>
      </RecordForm>
      <ConfirmDialog
        open={isUploadDialogOpen}
        onOpenChange={setUploadDialogOpen}
        title="Save without files?"
        description={`${uploads.pendingCount === 1 ? '1 file is' : `${uploads.pendingCount} files are`} still uploading. The quote would be saved without ${uploads.pendingCount === 1 ? 'it' : 'them'}.`}
        confirmLabel="Save without files"
        cancelLabel="Wait"
        tone="primary"
        onConfirm={() => {
          setUploadDialogOpen(false);
          uploads.cancelPending();
          editor.submit();
        }}
      />
    </>
  );
}

/** Hand-written, because two panels don't justify loading a tab library. */
function QuoteTabs({ attachmentsLabel, tab, onTab }: QuoteTabProps & { attachmentsLabel: string }) {
  const other = tab === 'quote' ? 'attachments' : 'quote';
  const switchByKey = (event: KeyboardEvent) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    onTab(other);
    document.getElementById(`${other}-tab`)?.focus();
  };
  return (
    <div role="tablist" aria-label="Parts of the quote" className="flex gap-1 border-b">
      {(['quote', 'attachments'] as const).map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${name}-tab`}
          aria-controls={`${name}-panel`}
          aria-selected={tab === name}
          tabIndex={tab === name ? 0 : -1}
          onClick={() => onTab(name)}
          onKeyDown={switchByKey}
          className="min-h-11 rounded-t-control border-b-2 border-transparent px-1 font-medium text-ink-2 [overflow-wrap:anywhere] md:px-3.5 -outline-offset-2 hover:text-ink aria-selected:border-accent aria-selected:text-accent-ink max-md:flex-1"
        >
          {name === 'quote' ? 'Quote' : attachmentsLabel}
        </button>
      ))}
    </div>
  );
}

const loadQuoteFiles = () => import('./quote-files.tsx');

function LazyQuoteFiles({ isVisible, ...props }: QuoteFilesProps & { isVisible: boolean }) {
  const module = useLazyModule(loadQuoteFiles, isVisible);
  usePrefetch(loadQuoteFiles);
  return module ? <module.QuoteFiles {...props} /> : <SkeletonRows label="Loading..." count={2} className="h-14" />;
}

interface QuoteFieldsProps extends Pick<QuoteEditorProps, 'editor' | 'customer'> {
  currency: string | null | undefined;
}

function QuoteFields({ editor: { form, isNew }, customer, currency }: QuoteFieldsProps) {
  const error = (name: 'title' | 'valid_until' | 'description') => form.getFieldState(name, form.formState).error?.message;
  return (
    <Card className="grid grid-cols-1 items-start gap-4 p-4 sm:grid-cols-12">
      <div className={classNames('sm:col-span-12', !isNew && 'lg:col-span-4')}>{customer}</div>
      <TextField
        label="Title"
        {...form.register('title')}
        error={error('title')}
        maxLength={200}
        className={classNames('sm:col-span-8', !isNew && 'lg:col-span-5')}
      />
      <TextField
        label="Valid until"
        type="date"
        {...form.register('valid_until')}
        error={error('valid_until')}
        optional
        className={classNames('sm:col-span-4', !isNew && 'lg:col-span-3')}
      />
      <TextAreaField
        label="Description"
        optional
        rows={1}
        {...form.register('description')}
        error={error('description')}
        className="sm:col-span-12 [&_textarea]:field-sizing-content [&_textarea]:resize-none [&_textarea]:min-h-11 lg:[&_textarea]:min-h-9"
      />
      <DepositFields form={form} currency={currency} />
    </Card>
  );
}

interface SaveFooterProps {
  figures: QuoteFigures;
  currency: string | null | undefined;
  rate: string;
  previousRate: string | undefined;
  deposit: DepositPreview | null;
  dirty: boolean;
  save: ReactNode;
}

/** Sticky footer on smaller screens, with a Save button and a total that opens the summary. */
function SaveFooter({ figures, currency, rate, previousRate, deposit, dirty, save }: SaveFooterProps) {
  const [isOpen, setOpen] = useState(false);
  const canSeeProfit = useCan('costs.view');
  return (
    <div
      data-save-bar=""
      className="sticky bottom-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom))] z-20 -mx-4 -mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 border-t bg-surface px-4 py-2.5 lg:bottom-0 lg:-mx-6 lg:px-6"
    >
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="flex min-h-11 min-w-fit flex-1 items-center justify-between gap-2 rounded-control pr-1 text-left"
      >
        <span className="min-w-0">
          <span className="block text-sm text-ink-3">{dirty ? 'Total · Unsaved changes' : 'Total'}</span>
          <span className="block text-lg font-semibold tabular-nums">{formatMoney(figures.totals.total_amount, currency)}</span>
        </span>
        <ChevronUp aria-label="Show totals" className="size-5 shrink-0 text-ink-3" />
      </button>
      {save}
      <Sheet open={isOpen} onOpenChange={setOpen} title="Quote totals">
        <QuoteSummary
          figures={figures}
          currency={currency}
          rate={rate}
          previousRate={previousRate}
          deposit={deposit}
          canSeeProfit={canSeeProfit}
        />
      </Sheet>
    </div>
  );
}
