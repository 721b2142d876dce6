import { MailWarning } from 'lucide-react';

/** Badge for a record if its latest email did not reach the customer. */
export function MailFailedBadge() {
  return (
    <span className="inline-flex items-center gap-1 font-medium whitespace-nowrap text-danger-ink">
      <MailWarning aria-hidden="true" className="size-3.5 shrink-0" />
      Email failed
    </span>
  );
}
