import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/card.tsx';

interface SectionProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** On the other end of the row. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A named part of the dashboard, in a card. */
export function Section({ title, aside, actions, children, className }: SectionProps) {
  const heading = useId();
  return (
    <Card role="region" aria-labelledby={heading} {...(className === undefined ? {} : { className })}>
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5 lg:px-5">
        <h2 id={heading} className="text-lg font-semibold">
          {title}
        </h2>
        <span className="flex-1 text-sm text-ink-3 tabular-nums">{aside}</span>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </Card>
  );
}
