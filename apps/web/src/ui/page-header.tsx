import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: string;
  /** Beside the title: a count, a pill. */
  aside?: ReactNode;
  subtitle?: ReactNode;
  actions?: ReactNode;
}

/** The one h1 of a screen, and what can be done here. Long titles wrap, actions never leave the screen. */
export function PageHeader({ title, aside, subtitle, actions }: PageHeaderProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:mb-5">
      <div className="min-w-0 flex-1 basis-48">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
          {aside && <div className="text-sm text-ink-3">{aside}</div>}
        </div>
        {subtitle && <div className="mt-0.5 text-base text-ink-2 [overflow-wrap:anywhere]">{subtitle}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
