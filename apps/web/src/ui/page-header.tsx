import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface PageHeaderProps {
  title: string;
  /** Content beside the title, e.g. a count or a pill. */
  aside?: ReactNode;
  /** True to move a long `aside` below the title on phones. */
  isAsideBelow?: boolean;
  subtitle?: ReactNode;
  /** Small print about the whole page, below the subtitle. */
  note?: ReactNode;
  actions?: ReactNode;
}

/** Gives an element its own line on phones without pushing the actions away from a short title. */
const FULL_LINE = 'max-sm:w-0 max-sm:min-w-full';

/** Shows the screen's only h1 and its actions, which wrap below a long title on phones. A "…" button alone stays beside it. */
export function PageHeader({ title, aside, isAsideBelow = false, subtitle, note, actions }: PageHeaderProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 has-[>[data-actions]>[data-icon-button]:only-child]:flex-nowrap lg:mb-5">
      <div className="min-w-0 grow sm:flex-1 sm:basis-48">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
          {aside && <div className={classNames('text-sm text-ink-3', isAsideBelow && FULL_LINE)}>{aside}</div>}
        </div>
        {subtitle && <div className={classNames('mt-0.5 text-base text-ink-2 [overflow-wrap:anywhere]', FULL_LINE)}>{subtitle}</div>}
        {note}
      </div>
      {actions && (
        <div data-actions="" className="flex flex-wrap items-center gap-2">
          {actions}
        </div>
      )}
    </div>
  );
}
