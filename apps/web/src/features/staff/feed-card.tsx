import type { StaffMember } from '@callout/contract/staff';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { localDateTime } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { staffFeedOptions, useCloseStaffFeed } from './staff.api.ts';

/** While other calendars can read a person's jobs: an admin can end that. The link itself is theirs alone. */
export function FeedCard({ member: { id, name } }: { member: StaffMember }) {
  const { data: feed } = useQuery(staffFeedOptions(id));
  const close = useCloseStaffFeed(id);
  const [asking, setAsking] = useState(false);
  if (!feed?.is_on) return null;
  const { last_opened_at: fetchedAt } = feed;
  return (
    <Card className="p-4 lg:p-5">
      <h2 className="text-lg font-semibold">Calendar link</h2>
      <p className="mt-1 text-base text-ink-2">
        On: whoever has it can see their jobs and addresses.{' '}
        {fetchedAt ? `Last fetched ${localDateTime(fetchedAt)}.` : 'No calendar has fetched it yet.'}
      </p>
      <Button className="mt-3" busy={close.isPending} onClick={() => setAsking(true)}>
        Turn off
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Turn off the calendar link?"
        description={`Calendars in which ${name} sees their jobs stop updating. They can turn on a new link themselves.`}
        confirmLabel={close.isPending ? 'Turning off…' : 'Turn off'}
        busy={close.isPending}
        onConfirm={() => close.mutate(undefined, { onSettled: () => setAsking(false) })}
      />
    </Card>
  );
}
