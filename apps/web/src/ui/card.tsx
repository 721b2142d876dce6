import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classes('rounded-card bg-surface shadow-card', className)} />;
}

interface SectionCardProps {
  title: string;
  description?: string;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A card with a heading of its own. */
export function SectionCard({ title, description, actions, children, className }: SectionCardProps) {
  return (
    <section className={classes('rounded-card bg-surface shadow-card', className)}>
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-3 lg:px-5">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">{title}</h2>
          {description && <p className="text-sm text-ink-3">{description}</p>}
        </div>
        {actions && <div className="flex items-center gap-2">{actions}</div>}
      </div>
      <div className="p-4 lg:p-5">{children}</div>
    </section>
  );
}
