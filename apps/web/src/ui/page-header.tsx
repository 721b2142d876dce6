import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface PageHeaderProps {
  title: string;
  /** Content beside the title, e.g. a count or a pill. */
  aside?: ReactNode;
  /** True to move a long `aside` below the title and the actions on phones. */
  isAsideBelow?: boolean;
  subtitle?: ReactNode;
  /** Small print about the whole page, below the subtitle. */
  note?: ReactNode;
  actions?: ReactNode;
}

/** Gives an element its own line on phones without pushing the actions away from a short title. */
const FULL_LINE = 'max-sm:w-0 max-sm:min-w-full';

const LAST_LINE = 'max-sm:order-last max-sm:basis-full';

/** With `isAsideBelow`, the header must keep wrapping on phones, so a "…" button stays beside the title because the title shrinks. */
const BESIDE_LONE_BUTTON = {
  aside: 'has-[>[data-actions]>[data-icon-button]:only-child]:flex-nowrap',
  asideBelow:
    'sm:has-[>[data-actions]>[data-icon-button]:only-child]:flex-nowrap max-sm:has-[>[data-actions]>[data-icon-button]:only-child]:[&_h1]:basis-0',
};

/** Shows the screen's only h1 and its actions, which wrap below a long title on phones. A "…" button alone stays beside it. */
export function PageHeader({ title, aside, isAsideBelow = false, subtitle, note, actions }: PageHeaderProps) {
  return (
    <div
      className={classNames(
        'mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 lg:mb-5',
        BESIDE_LONE_BUTTON[isAsideBelow ? 'asideBelow' : 'aside'],
      )}
    >
      <div className={classNames('min-w-0 grow sm:flex-1 sm:basis-48', isAsideBelow && 'max-sm:contents')}>
        <div className={classNames('flex flex-wrap items-center gap-x-3 gap-y-1', isAsideBelow && 'max-sm:contents')}>
          <h1
            className={classNames('text-2xl font-semibold tracking-tight [overflow-wrap:anywhere]', isAsideBelow && 'min-w-0 max-sm:grow')}
          >
            {title}
          </h1>
          {aside && <div className={classNames('text-sm text-ink-3', isAsideBelow && LAST_LINE)}>{aside}</div>}
        </div>
        {subtitle && <div className={classNames('mt-0.5 text-base text-ink-2 [overflow-wrap:anywhere]', FULL_LINE)}>{subtitle}</div>}
        {isAsideBelow ? <div className={classNames(LAST_LINE, 'empty:hidden')}>{note}</div> : note}
      </div>
      {actions && (
        <div data-actions="" className="flex flex-wrap items-center gap-2">
          {actions}
        </div>
      )}
    </div>
  );
}
