import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface PageHeaderProps {
  title: string;
  /** Beside the title: a count, a pill. */
  aside?: ReactNode;
  /** More than a word: on a phone it stands below the title. */
  isAsideBelow?: boolean;
  subtitle?: ReactNode;
  actions?: ReactNode;
}

/** On a phone a line of its own, which does not push the actions away from a short title. */
const BELOW = 'max-sm:w-0 max-sm:min-w-full';

/** The one h1 of a screen, and what can be done here. On a phone the actions stand below a title that is too long to stand beside. */
export function PageHeader({ title, aside, isAsideBelow = false, subtitle, actions }: PageHeaderProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:mb-5">
      <div className="min-w-0 grow sm:flex-1 sm:basis-48">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
          {aside && <div className={classes('text-sm text-ink-3', isAsideBelow && BELOW)}>{aside}</div>}
        </div>
        {subtitle && <div className={classes('mt-0.5 text-base text-ink-2 [overflow-wrap:anywhere]', BELOW)}>{subtitle}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
