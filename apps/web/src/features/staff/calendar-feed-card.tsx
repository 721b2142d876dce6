import type { StaffMember } from '@callout/contract/staff';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDisplayFormat } from '../../lib/time-zone.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { staffCalendarFeedQueryOptions, useDisableStaffCalendarFeed } from './staff.api.ts';

/** Lets an admin turn off a member's calendar feed. Only the member can see the feed's link. */
export function CalendarFeedCard({ member: { id, name } }: { member: StaffMember }) {
  const { formatDisplayDateTime } = useDisplayFormat();
  const { data: feed } = useQuery(staffCalendarFeedQueryOptions(id));
  const close = useDisableStaffCalendarFeed(id);
  const [isConfirming, setConfirming] = useState(false);
  if (!feed?.is_on) return null;
  const { last_opened_at: fetchedAt } = feed;
  return (
    <Card className="p-4 lg:p-5">
      <h2 className="text-lg font-semibold">Calendar link</h2>
      <p className="mt-1 text-base text-ink-2">
        On. Anyone with the link can see {name}'s jobs and addresses.{' '}
        {fetchedAt ? `Last fetched ${formatDisplayDateTime(fetchedAt)}.` : 'No calendar has fetched this link yet.'}
      </p>
      <Button className="mt-3" busy={close.isPending} onClick={() => setConfirming(true)}>
        Turn off
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Turn off the calendar link?"
        description={`${name}'s calendars will stop updating. To share their calendar again, ${name} must turn on a new link.`}
        confirmLabel={close.isPending ? 'Turning off…' : 'Turn off'}
        busy={close.isPending}
        onConfirm={() => close.mutate(undefined, { onSettled: () => setConfirming(false) })}
      />
    </Card>
  );
}
