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
  label: string;
  savingLabel: string;
}

/** Footer of a form that creates a record. */
export function FormActions({ cancelLink, saving, label, savingLabel }: FormActionsProps) {
  return (
    <div className="mt-4 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
      {cancelLink}
      <Button type="submit" tone="primary" busy={saving}>
        {saving ? savingLabel : label}
      </Button>
    </div>
  );
}
