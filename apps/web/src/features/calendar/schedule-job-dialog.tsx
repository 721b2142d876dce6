import type { Job } from '@callout/contract/jobs';
import { suggestStart } from '@callout/domain/calendar/suggest-start';
import { toLocalDate } from '@callout/domain/time/zoned-time';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDisplayTimeZone } from '../../lib/time-zone.ts';
import { useCurrentMinute } from '../../lib/use-today.ts';
import { staffNamesQueryOptions } from '../staff/staff.api.ts';
import type { CalendarItem } from './calendar-event.ts';
import { useScheduleMutation } from './calendar-schedule.api.ts';
import { MoveEventDialog } from './move-event-dialog.tsx';

interface ScheduleJobDialogProps {
  job: Job;
  open: boolean;
  onClose: () => void;
}

/** The calendar's dialog for moving an event, opened from the job's page. */
export function ScheduleJobDialog({ job, open, onClose }: ScheduleJobDialogProps) {
  const zone = useDisplayTimeZone();
  const people = useQuery(staffNamesQueryOptions).data ?? [];
  const schedule = useScheduleMutation(zone);
  /** The job as it was when the dialog opened, so that a refetch doesn't reset what the user has entered. */
  const [event, setEvent] = useState<CalendarItem>();
  if (open !== (event !== undefined)) setEvent(open ? toCalendarItem(job) : undefined);
  const now = useCurrentMinute();
  return (
    <MoveEventDialog
      event={event}
      // A person who works alone never has to choose who does the job.
      suggested={{ ...suggestStart(toLocalDate(now, zone), now, zone), filteredStaffId: people.length === 1 ? people[0]?.id : undefined }}
      zone={zone}
      people={people}
      onMove={schedule}
      onClose={onClose}
    />
  );
}

const toCalendarItem = ({ id, title, status, booking_date, duration, staff }: Job): CalendarItem => ({
  kind: 'job',
  id,
  title,
  status,
  start: booking_date,
  hours: duration,
  staff: staff && { id: staff.id, name: staff.name, hex_code: staff.hex_code },
  job: null,
});
