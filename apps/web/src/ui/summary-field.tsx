import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface SummaryFieldProps {
  /** Shown instead of the label on phones. */
  icon: LucideIcon;
  label: string;
  className?: string;
  /** Emphasized first line of the value. */
  headline: ReactNode;
  children?: ReactNode;
}

/** Label and value in the summary at the top of a record. The fields form columns on desktop and rows on phones. */
export function SummaryField({ icon: Icon, label, className, headline, children }: SummaryFieldProps) {
  return (
    <div className={classNames('flex min-w-0 gap-4 px-4 py-3 lg:block lg:p-0', className)}>
      <dt className="shrink-0 pt-0.5 text-sm text-ink-3 lg:pt-0">
        <Icon aria-hidden="true" className="size-5 text-ink-2 lg:hidden" />
        <span className="max-lg:sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 flex-1 text-base text-ink-2 [overflow-wrap:anywhere] lg:text-sm">
        <span className="block text-lg font-medium text-ink lg:text-base">{headline}</span>
        {children}
      </dd>
    </div>
  );
}

/** Enlarges a link's hit area without moving the lines around it. */
export const SUMMARY_HIT_AREA_CLASSES = '-my-0.5 inline-block py-0.5 hover:underline';
export const SUMMARY_LINK_CLASSES = `${SUMMARY_HIT_AREA_CLASSES} font-medium text-accent-ink tabular-nums`;
