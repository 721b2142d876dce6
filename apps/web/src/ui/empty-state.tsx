import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  /** One sentence: what is not here. */
  sentence: string;
  hint?: ReactNode;
  /** The one thing to do about it. */
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, sentence, hint, action }: EmptyStateProps) {
  return (
    <div className="flex animate-appear flex-col items-center px-6 py-12 text-center">
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-sunken text-ink-3">
        <Icon aria-hidden="true" className="size-6" />
      </span>
      <p className="text-lg font-medium text-ink">{sentence}</p>
      {hint && <p className="mt-1 max-w-md text-base text-ink-2">{hint}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
