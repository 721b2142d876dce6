import { type ReactNode, useId } from 'react';
import { Card } from '../../ui/card.tsx';

interface DashboardSectionProps {
  title: string;
  subtitle?: ReactNode;
  /** Controls at the end of the title row. */
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

export function DashboardSection({ title, subtitle, actions, children, className }: DashboardSectionProps) {
  const headingId = useId();
  return (
    <Card role="region" aria-labelledby={headingId} {...(className === undefined ? {} : { className })}>
      <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5 lg:px-5">
        <h2 id={headingId} className="text-lg font-semibold">
          {title}
        </h2>
        <span className="flex-1 text-sm text-ink-3 tabular-nums">{subtitle}</span>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </Card>
  );
}
