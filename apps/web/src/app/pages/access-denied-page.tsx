import { Lock } from 'lucide-react';
import { LinkButton } from '../../ui/link-button.tsx';

const SENTENCE = "You don't have permission to view this page.";

export function AccessDeniedPage({ sentence = SENTENCE }: { sentence?: string | undefined }) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-sunken text-ink-3">
        <Lock aria-hidden="true" className="size-6" />
      </span>
      <h1 className="text-xl font-semibold">Access Denied</h1>
      <p className="mt-1 mb-5 text-base text-ink-2">{sentence}</p>
      <LinkButton to="/dashboard">Go to the dashboard</LinkButton>
    </div>
  );
}
