import { type ReactNode, useEffect, useRef } from 'react';
import { type FieldValues, useWatch } from 'react-hook-form';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { ConflictCard } from '../ui/conflict-card.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import type { Choice } from '../ui/select-field.tsx';
import { UnsavedChangesPrompt } from '../ui/unsaved-changes-prompt.tsx';
import { type FormattedDifference, formatDifference } from './form-definition.ts';
import type { FormDifference, FormValues } from './merge-values.ts';
import type { RecordEditor } from './use-record-form.ts';

interface RecordFormProps<Values extends FormValues & FieldValues, Output, Stored extends { version: number }> {
  editor: RecordEditor<Values, Output, Stored>;
  /** How to refer to the record within a sentence, e.g. 'this customer' or 'the settings'. */
  recordLabel: string;
  children: ReactNode;
  /** Replaces the save bar in forms for new records. */
  actions?: ReactNode;
  /** Called when the user cancels. Returns to the page that opened the form. */
  onCancel?: () => void;
  /** True if someone else has deleted the record. */
  isDeleted?: boolean;
  /** Label of the button that saves a deleted record as a new one, e.g. 'Save as new customer'. */
  saveAsNewLabel?: string;
  /** 'card' always draws a card, 'panel' draws one from tablet size up, and 'none' leaves the frame to the form's sections. */
  frame?: 'card' | 'panel' | 'none';
  /** Choices that are loaded at runtime, used to label the values in a conflict. */
  choices?: Readonly<Record<string, readonly Choice[]>>;
  /** Describes a difference. If the function returns undefined, the field labels are used. */
  formatDifference?: (difference: FormDifference) => FormattedDifference | undefined;
  /** URL parameters that open the form. Defaults to `edit`. */
  openedBy?: readonly string[];
  /** Number of uploads in progress that leaving would cancel. The editor's `isDirty` already includes them. */
  pendingUploads?: number;
}

const FRAME_CLASSES = {
  card: 'rounded-card bg-surface p-4 shadow-card md:p-5',
  panel: 'md:rounded-card md:bg-surface md:p-5 md:shadow-card',
  none: 'space-y-6',
};

/** A record's form with its conflict card, save bar, unsaved-changes warning and keyboard shortcuts. */
export function RecordForm<Values extends FormValues & FieldValues, Output, Stored extends { version: number }>({
  editor,
  recordLabel,
  children,
  actions,
  onCancel,
  isDeleted = false,
  saveAsNewLabel,
  frame = 'card',
  choices,
  formatDifference: formatCustomDifference,
  openedBy,
  pendingUploads,
}: RecordFormProps<Values, Output, Stored>) {
  const { form, submit, saving, dirty, hasNewerVersion, isComparing, setComparing } = editor;
  const element = useRef<HTMLFormElement>(null);
  useSaveShortcuts(element, submit);
  const wasDirty = useRef(false);
  useEffect(() => {
    // The save bar disappears together with its focused button, so move the focus to the form rather than the top of the page.
    if (wasDirty.current && !dirty && document.activeElement === document.body) element.current?.focus({ preventScroll: true });
    wasDirty.current = dirty;
  }, [dirty]);

  // Re-render on every keystroke while there is a newer version, because any edit can resolve a difference.
  useWatch({ control: form.control, disabled: !hasNewerVersion });
  const differences = hasNewerVersion && !isDeleted ? editor.getDifferences() : [];
  const isResolved = isComparing && differences.length === 0;
  useEffect(() => {
    // If the comparison stayed open, the card would reappear on the next keystroke and take the focus.
    if (isResolved) setComparing(false);
  }, [isResolved, setComparing]);
  const hasConflict = isComparing && differences.length > 0;

  return (
    <>
      {hasConflict && (
        <ConflictCard
          recordLabel={recordLabel}
          differences={differences.map(
            (difference) => formatCustomDifference?.(difference) ?? formatDifference(difference, editor.definition.fields, choices),
          )}
          saving={saving}
          onUseTheirs={editor.loadTheirs}
          onKeepMine={editor.keepMine}
        />
      )}
      {!isComparing && differences.length > 0 && (
        <Banner
          data-form-notice=""
          className="sticky top-[calc(var(--header-height)+0.5rem)] z-20 mb-4 shadow-float in-data-modal:top-0"
          actions={<Button onClick={() => setComparing(true)}>Compare</Button>}
        >
          There's a newer version of {recordLabel}. Your changes are still here.
        </Banner>
      )}
      <form
        ref={element}
        tabIndex={-1}
        noValidate
        onSubmit={hasConflict ? (event) => event.preventDefault() : submit}
        className={classNames('outline-none', FRAME_CLASSES[frame])}
      >
        {frame === 'none' ? children : <div className="grid items-start gap-4 sm:grid-cols-6 lg:gap-5">{children}</div>}
        {actions}
        {!actions && !hasConflict && (!isDeleted || saveAsNewLabel !== undefined) && (
          <SaveBar
            saving={saving}
            dirty={dirty}
            label={isDeleted ? saveAsNewLabel : undefined}
            onDiscard={editor.discard}
            onCancel={onCancel}
            isStandalone={frame === 'none'}
          />
        )}
      </form>
      <UnsavedChangesPrompt
        isDirty={editor.isDirty}
        saving={saving}
        onLeavingChange={editor.onLeaving}
        openedBy={openedBy}
        isDraftStored={editor.isDraftPersistent}
        {...(pendingUploads === undefined ? {} : { pendingUploads })}
      />
    </>
  );
}

/** Saves on Ctrl/Cmd+S anywhere on the page and on Ctrl/Cmd+Enter inside the form, including text areas. */
function useSaveShortcuts(element: React.RefObject<HTMLFormElement | null>, submit: () => void): void {
  const latest = useRef(submit);
  useEffect(() => {
    latest.current = submit;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const form = element.current;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !form || form.closest('[hidden]')) return;
      const isInside = event.target instanceof Node && form.contains(event.target);
      const isSaveShortcut = event.key.toLowerCase() === 's' || (event.key === 'Enter' && isInside);
      if (!isSaveShortcut || document.querySelector('[role=dialog],[role=alertdialog]')) return;
      event.preventDefault();
      form.requestSubmit();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [element]);
}
