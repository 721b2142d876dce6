import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  /** Sentence that says what is missing. */
  message: string;
  /** True if nothing else is on the screen. The message then becomes the screen's heading. */
  isHeading?: boolean;
  hint?: ReactNode;
  /** Button or link for the most useful next step. */
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, message, isHeading = false, hint, action }: EmptyStateProps) {
  const Message = isHeading ? 'h1' : 'p';
  return (
    <div className="flex animate-appear flex-col items-center px-6 py-12 text-center">
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-sunken text-ink-3">
        <Icon aria-hidden="true" className="size-6" />
      </span>
      <Message className="text-lg font-medium text-ink">{message}</Message>
      {hint && <p className="mt-1 max-w-md text-base text-ink-2">{hint}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
