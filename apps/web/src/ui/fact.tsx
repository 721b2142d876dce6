import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

interface FactProps {
  /** Stands for the label on a phone. */
  icon: LucideIcon;
  label: string;
  className?: string;
  /** The first line stands out. */
  headline: ReactNode;
  children?: ReactNode;
}

/** One of the facts at the top of a record: a label and what it says, side by side on a desk, in rows on a phone. */
export function Fact({ icon: Icon, label, className, headline, children }: FactProps) {
  return (
    <div className={classes('flex min-w-0 gap-4 px-4 py-3 lg:block lg:p-0', className)}>
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

/** As tall as a finger or a pointer needs, without moving the lines around it. */
export const FACT_TARGET = '-my-0.5 inline-block py-0.5 hover:underline';
export const FACT_LINK = `${FACT_TARGET} font-medium text-accent-ink tabular-nums`;
