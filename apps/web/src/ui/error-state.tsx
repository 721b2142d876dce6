import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface ErrorStateProps {
  message: string;
  onRetry?: () => void;
  retrying?: boolean;
  action?: ReactNode;
}

export function ErrorState({ message, onRetry, retrying = false, action }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-12 text-center">
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-danger-soft text-danger-ink">
        <TriangleAlert aria-hidden="true" className="size-6" />
      </span>
      <p className="max-w-md text-lg font-medium text-ink">{message}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        {onRetry && (
          <Button onClick={onRetry} busy={retrying}>
            Retry
          </Button>
        )}
        {action}
      </div>
    </div>
  );
}
