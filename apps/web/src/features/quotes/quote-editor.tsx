import type { Quote } from '@callout/contract/quotes';
import { formatMoney } from '@callout/domain/money/money-text';
import { taxRate } from '@callout/domain/tax/tax';
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
import { classes } from '../../ui/classes.ts';
import { ConfirmDialog, Sheet } from '../../ui/dialog.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useMediaQuery, WIDE_UP } from '../../ui/use-browser-state.ts';
import { useLazyModule, usePrefetch } from '../../ui/use-lazy-module.ts';
import { useCan, useProfile } from '../company/company.api.ts';
import { MissingFiles } from './missing-files.tsx';
import { DepositFields, type ShownDeposit, typedDeposit } from './quote-deposit.tsx';
import { type QuoteFigures, quoteFigures } from './quote-figures.ts';
import type { QuoteFilesProps } from './quote-files.tsx';
import { type FileRow, type QuoteFormOutput, type QuoteValues, quoteDifferenceWords, quoteForm } from './quote-form.ts';
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
  editor: RecordEditor<QuoteValues, QuoteFormOutput, Quote>;
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** Left of Save. */
  menu?: ReactNode;
  saveLabel: string;
  savingLabel: string;
  /** Who the quote is for: chosen, or only shown. */
  customer: ReactNode;
  banner?: ReactNode;
  /** The newest stored version, to name what it has in a conflict. */
  stored?: Quote;
  onDiscard: () => void;
}

/** A quote while it is written: on desks with its figures beside it, on phones with its total and Save within the thumb's reach. */
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
  const seesProfit = useCan('costs.view');
  // What was accepted keeps its rate; everything else is saved at today's.
  const rate = stored?.acceptance ? stored.tax_rate : taxRate(profile?.gst_percentage);
  const oldRate = stored && Number(stored.tax_rate) !== Number(rate) ? stored.tax_rate : undefined;
  // Typing stays quick in a quote of hundreds of items: the sums may follow a moment later.
  const deferred = useDeferredValue(lines);
  const figures = useMemo(() => quoteFigures(deferred, rate), [deferred, rate]);
  const deposit = typedDeposit({ percentage, amount }, figures.totals.total_amount);
  const actions = useLineActions(form);
  const setFiles = (next: FileRow[]) => form.setValue('attachments', next, { shouldDirty: true });
  const uploads = useFileUploads({
    count: () => form.getValues('attachments').length,
    isSaving: saving,
    onUploaded: (file, isLater) => {
      const before = form.getValues('attachments');
      const later = before.findIndex(({ id }) => isLater(id));
      setFiles(before.toSpliced(later === -1 ? before.length : later, 0, file));
    },
  });
  const sectionEditor = useRef<SectionEditorHandle>(null);
  const isWide = useMediaQuery(WIDE_UP);
  const [isAsking, setAsking] = useState(false);

  useEffect(() => {
    // What is wrong is on the first tab.
    if (submitCount > 0 && Object.keys(errors).some((name) => name !== 'attachments')) onTab('quote');
    // Only when a save was refused.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [submitCount]);

  /** Says so before a quote is saved without the files that are still on their way. */
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    if (sectionEditor.current?.stopAtUnadded()) onTab('quote');
    else if (uploads.underWay > 0) setAsking(true);
    else editor.submit();
  };
  const { isDirty: isTyped } = editor;
  const { hasUnderWay } = uploads;
  const isDirty = useCallback(() => isTyped() || hasUnderWay(), [isTyped, hasUnderWay]);
  const discard = () => {
    const undo = editor.snapshot();
    editor.forgetRestored();
    page.onDiscard();
    toast.blank('Changes discarded', { action: { label: 'Undo', run: undo } });
  };
  const save = (
    <Button type="submit" tone="primary" busy={saving} className="max-xl:flex-1">
      {saving ? page.savingLabel : page.saveLabel}
    </Button>
  );
  const label = files.length + uploads.files.length > 0 ? `Attachments (${files.length + uploads.files.length})` : 'Attachments';
  return (
    <>
      <RecordForm
        editor={{ ...editor, submit, isDirty }}
        uploads={uploads.underWay}
        what="this quote"
        frame="none"
        describe={(difference) => stored && quoteDifferenceWords(difference, form.getValues(), quoteForm.valuesOf(stored))}
        actions={
          isWide ? (
            <span hidden />
          ) : (
            <SaveFooter figures={figures} rate={rate} oldRate={oldRate} deposit={deposit} dirty={dirty} save={save} />
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
          <MissingFiles
            files={files.filter(({ id }) => !stored?.attachments.some((file) => file.id === id))}
            isRestored={editor.isRestored}
            saving={saving}
            dirty={dirty}
            onRemove={(gone) => setFiles(form.getValues('attachments').filter(({ id }) => !gone.has(id)))}
          />
          {editor.isRestored && (
            <Banner className="mb-4" actions={<Button onClick={discard}>Discard</Button>}>
              Your unsaved changes were restored.
            </Banner>
          )}
          <Tabs label={label} tab={tab} onTab={onTab} />
          <div role="tabpanel" id="quote-panel" aria-labelledby="quote-tab" hidden={tab !== 'quote'} className="pt-4">
            <div className="gap-5 xl:grid xl:grid-cols-[minmax(0,1fr)_18.5rem] xl:items-start">
              <div className="min-w-0 space-y-4">
                <QuoteFields editor={editor} customer={page.customer} />
                <SectionEditor
                  ref={sectionEditor}
                  isShown={tab === 'quote'}
                  lines={lines}
                  figures={figures}
                  actions={actions}
                  errors={errors}
                  refusals={submitCount}
                  currency={profile?.currency}
                />
              </div>
              <aside aria-label="Figures" className="max-xl:mt-4 xl:sticky xl:top-[calc(var(--header-height)+1.25rem)]">
                <QuoteSummary figures={figures} rate={rate} oldRate={oldRate} deposit={deposit} seesProfit={seesProfit} />
              </aside>
            </div>
          </div>
          <div role="tabpanel" id="attachments-panel" aria-labelledby="attachments-tab" hidden={tab !== 'attachments'} className="pt-4">
            <Files isShown={tab === 'attachments'} files={files} uploads={uploads} saving={saving} onChange={setFiles} />
          </div>
        </div>
      </RecordForm>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Files are still uploading"
        description={`${uploads.underWay === 1 ? '1 file is' : `${uploads.underWay} files are`} still on the way. The quote would be saved without ${uploads.underWay === 1 ? 'it' : 'them'}.`}
        confirmLabel="Save without files"
        cancelLabel="Wait"
        tone="primary"
        onConfirm={() => {
          setAsking(false);
          uploads.cancelUnderWay();
          editor.submit();
        }}
      />
    </>
  );
}

/** Two small panels do without the library of the other tabs. */
function Tabs({ label, tab, onTab }: QuoteTabProps & { label: string }) {
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
          {name === 'quote' ? 'Quote' : label}
        </button>
      ))}
    </div>
  );
}

const loadFiles = () => import('./quote-files.tsx');

/** Loaded with the first look at them. */
function Files({ isShown, ...props }: QuoteFilesProps & { isShown: boolean }) {
  const file = useLazyModule(loadFiles, isShown);
  usePrefetch(loadFiles);
  return file ? <file.QuoteFiles {...props} /> : <SkeletonRows label="Loading..." count={2} className="h-14" />;
}

function QuoteFields({ editor: { form, isNew }, customer }: Pick<QuoteEditorProps, 'editor' | 'customer'>) {
  const error = (name: 'title' | 'valid_until' | 'description') => form.getFieldState(name, form.formState).error?.message;
  return (
    <Card className="grid grid-cols-1 items-start gap-4 p-4 sm:grid-cols-12">
      <div className={classes('sm:col-span-12', !isNew && 'lg:col-span-4')}>{customer}</div>
      <TextField
        label="Title"
        {...form.register('title')}
        error={error('title')}
        maxLength={200}
        className={classes('sm:col-span-8', !isNew && 'lg:col-span-5')}
      />
      <TextField
        label="Valid until"
        type="date"
        {...form.register('valid_until')}
        error={error('valid_until')}
        optional
        className={classes('sm:col-span-4', !isNew && 'lg:col-span-3')}
      />
      <TextAreaField
        label="Description"
        optional
        rows={1}
        {...form.register('description')}
        error={error('description')}
        className="sm:col-span-12 [&_textarea]:field-sizing-content [&_textarea]:resize-none [&_textarea]:min-h-11 lg:[&_textarea]:min-h-9"
      />
      <DepositFields form={form} />
    </Card>
  );
}

interface SaveFooterProps {
  figures: QuoteFigures;
  rate: string;
  oldRate: string | undefined;
  deposit: ShownDeposit | null;
  dirty: boolean;
  save: ReactNode;
}

/** On phones: the total opens the figures, Save is beside it. */
function SaveFooter({ figures, rate, oldRate, deposit, dirty, save }: SaveFooterProps) {
  const [isOpen, setOpen] = useState(false);
  const currency = useProfile()?.currency;
  const seesProfit = useCan('costs.view');
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
        <ChevronUp aria-label="Show summary" className="size-5 shrink-0 text-ink-3" />
      </button>
      {save}
      <Sheet open={isOpen} onOpenChange={setOpen} title="Figures">
        <QuoteSummary figures={figures} rate={rate} oldRate={oldRate} deposit={deposit} seesProfit={seesProfit} />
      </Sheet>
    </div>
  );
}
