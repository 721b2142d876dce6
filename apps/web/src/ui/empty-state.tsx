import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  /** One sentence: what is not here. */
  sentence: string;
  /** It is all there is on the screen, so it is the screen's heading. */
  alone?: boolean;
  hint?: ReactNode;
  /** The one thing to do about it. */
  action?: ReactNode;
}

export function EmptyState({ icon: Icon, sentence, alone = false, hint, action }: EmptyStateProps) {
  const Words = alone ? 'h1' : 'p';
  return (
    <div className="flex animate-appear flex-col items-center px-6 py-12 text-center">
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-sunken text-ink-3">
        <Icon aria-hidden="true" className="size-6" />
      </span>
      <Words className="text-lg font-medium text-ink">{sentence}</Words>
      {hint && <p className="mt-1 max-w-md text-base text-ink-2">{hint}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
