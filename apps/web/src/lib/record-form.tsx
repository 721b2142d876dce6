import { type ReactNode, useEffect, useRef } from 'react';
import { type FieldValues, useWatch } from 'react-hook-form';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { ConflictCard } from '../ui/conflict-card.tsx';
import { SaveBar } from '../ui/save-bar.tsx';
import type { Choice } from '../ui/select-field.tsx';
import { UnsavedChanges } from '../ui/unsaved-changes.tsx';
import { type DifferenceWords, differenceWords } from './form-definition.ts';
import type { Difference, FormValues } from './merge-values.ts';
import type { RecordEditor } from './use-record-form.ts';

interface RecordFormProps<Values extends FormValues & FieldValues, Output, Stored extends { version: number }> {
  editor: RecordEditor<Values, Output, Stored>;
  /** What is edited, in the middle of a sentence: 'this customer', 'the settings'. */
  what: string;
  children: ReactNode;
  /** Instead of the bar with Save: for a new record. */
  actions?: ReactNode;
  /** Leads back from the form to the page it was opened on. */
  onCancel?: () => void;
  /** It was deleted by somebody else. */
  gone?: boolean;
  /** Saves what was deleted as a new record, and is called so: 'Save as new customer'. */
  saveAsNew?: string;
  /** What the form stands in: a card of its own, a panel that is a card on phones, or nothing, because its parts are cards. */
  frame?: 'card' | 'panel' | 'none';
  /** The choices of fields that are known only here, to name them when two people chose differently. */
  choices?: Readonly<Record<string, readonly Choice[]>>;
  /** Says a difference in other words than the labels of its fields; undefined leaves it to them. */
  describe?: (difference: Difference) => DifferenceWords | undefined;
  /** The parameters of the URL that open the form; `edit` without it. */
  openedBy?: readonly string[];
  /** Files on their way, which leaving would lose; `isDirty` of the editor counts them, too. */
  uploads?: number;
}

const FRAMES = {
  card: 'rounded-card bg-surface p-4 shadow-card md:p-5',
  panel: 'md:rounded-card md:bg-surface md:p-5 md:shadow-card',
  none: 'space-y-6',
};

/** A record's form with everything around it: what others changed, Save, the question before leaving, and its keys. */
export function RecordForm<Values extends FormValues & FieldValues, Output, Stored extends { version: number }>({
  editor,
  what,
  children,
  actions,
  onCancel,
  gone = false,
  saveAsNew,
  frame = 'card',
  choices,
  describe,
  openedBy,
  uploads,
}: RecordFormProps<Values, Output, Stored>) {
  const { form, submit, saving, dirty, isBehind, comparing, setComparing } = editor;
  const element = useRef<HTMLFormElement>(null);
  useSaveKeys(element, submit);
  const wasDirty = useRef(false);
  useEffect(() => {
    // The bar with the pressed button is gone: the keyboard goes on from the form instead of from the top of the page.
    if (wasDirty.current && !dirty && document.activeElement === document.body) element.current?.focus({ preventScroll: true });
    wasDirty.current = dirty;
  }, [dirty]);

  // While somebody else's version waits, every letter may settle a difference.
  useWatch({ control: form.control, disabled: !isBehind });
  const differences = isBehind && !gone ? editor.differences() : [];
  const isSettled = comparing && differences.length === 0;
  useEffect(() => {
    // Otherwise the card would come back at the next letter, and take the focus with it.
    if (isSettled) setComparing(false);
  }, [isSettled, setComparing]);
  const conflict = comparing && differences.length > 0;

  return (
    <>
      {conflict && (
        <ConflictCard
          what={what}
          differences={differences.map(
            (difference) => describe?.(difference) ?? differenceWords(difference, editor.definition.fields, choices),
          )}
          saving={saving}
          onLoadTheirs={editor.loadTheirs}
          onKeepMine={editor.keepMine}
        />
      )}
      {!comparing && differences.length > 0 && (
        <Banner className="mb-4" actions={<Button onClick={() => setComparing(true)}>Compare</Button>}>
          Someone else has changed {what}. Your changes are still here.
        </Banner>
      )}
      <form
        ref={element}
        tabIndex={-1}
        noValidate
        onSubmit={conflict ? (event) => event.preventDefault() : submit}
        className={classes('outline-none', FRAMES[frame])}
      >
        {frame === 'none' ? children : <div className="grid items-start gap-4 sm:grid-cols-6 lg:gap-5">{children}</div>}
        {actions}
        {!actions && !conflict && (!gone || saveAsNew !== undefined) && (
          <SaveBar
            saving={saving}
            dirty={dirty}
            label={gone ? saveAsNew : undefined}
            onDiscard={editor.discard}
            onCancel={onCancel}
            alone={frame === 'none'}
          />
        )}
      </form>
      <UnsavedChanges
        isDirty={editor.isDirty}
        saving={saving}
        onLeaving={editor.onLeaving}
        openedBy={openedBy}
        outlivesTab={editor.outlivesTab}
        {...(uploads === undefined ? {} : { uploads })}
      />
    </>
  );
}

/** Ctrl or Cmd with S saves from anywhere on the page, with Enter from inside the form, also out of a text of several lines. */
function useSaveKeys(element: React.RefObject<HTMLFormElement | null>, submit: () => void): void {
  const latest = useRef(submit);
  useEffect(() => {
    latest.current = submit;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const form = element.current;
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !form || form.closest('[hidden]')) return;
      const isInside = event.target instanceof Node && form.contains(event.target);
      const saves = event.key.toLowerCase() === 's' || (event.key === 'Enter' && isInside);
      if (!saves || document.querySelector('[role=dialog],[role=alertdialog]')) return;
      event.preventDefault();
      form.requestSubmit();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [element]);
}
