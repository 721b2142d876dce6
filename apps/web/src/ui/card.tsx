import { type ComponentProps, type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classNames('rounded-card bg-surface shadow-card', className)} />;
}

interface FormSectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** Part of a long form, with the title beside the fields on desktop and above them on phones. The fields share six columns. */
export function FormSection({ title, description, children }: FormSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-8">
      <div className="[overflow-wrap:anywhere]">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {description && <p className="mt-1 text-base text-ink-2">{description}</p>}
      </div>
      <Card className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 p-4 sm:grid-cols-6 lg:gap-5 lg:p-5">{children}</Card>
    </section>
  );
}

interface FormActionsProps {
  cancelLink: ReactNode;
  saving: boolean;
  disabled?: boolean;
  label: string;
  savingLabel: string;
}

/** Footer of a form that creates a record. On phones, it sticks to the bottom of the screen or dialog, within thumb's reach. */
export function FormActions({ cancelLink, saving, disabled, label, savingLabel }: FormActionsProps) {
  return (
    <div
      data-save-bar=""
      className="z-10 mt-4 flex gap-2 max-sm:sticky max-sm:bottom-[calc(var(--bottom-bar-height)+env(safe-area-inset-bottom))] max-sm:-mx-4 max-sm:-mb-4 max-sm:border-t max-sm:bg-surface max-sm:px-4 max-sm:py-3 max-sm:in-data-modal:-bottom-5 max-sm:in-data-modal:-mx-5 max-sm:in-data-modal:-mb-5 max-sm:in-data-modal:bg-raised max-sm:in-data-modal:px-5 sm:justify-end max-sm:*:flex-1"
    >
      {cancelLink}
      <Button type="submit" tone="primary" busy={saving} disabled={disabled}>
        {saving ? savingLabel : label}
      </Button>
    </div>
  );
}
