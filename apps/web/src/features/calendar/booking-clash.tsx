import { type QueryClient, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useDebouncedValue } from '../../ui/debounced-search-field.tsx';
import { toast } from '../../ui/toast.ts';
import type { StaffBooking } from '../jobs/job-fields.tsx';
import { clashesQueryOptions } from './calendar.api.ts';
import { formatClash } from './calendar-format.ts';

const CLASH_CHECK_DEBOUNCE_MS = 300;

const toClashesInput = ({ staffId, start, hours, jobId }: StaffBooking) => ({
  staff_id: staffId,
  starts_at: start,
  duration: hours,
  ...(jobId !== undefined && { except_id: jobId }),
});

/** Warns that the person is already booked at the chosen time. Users can still save the booking. */
export function BookingClashHint(booking: StaffBooking) {
  const { start, zone } = booking;
  const input = toClashesInput(booking);
  const inputKey = JSON.stringify(input);
  const isSettled = useDebouncedValue(inputKey, CLASH_CHECK_DEBOUNCE_MS) === inputKey;
  const { data: clashes = [] } = useQuery({ ...clashesQueryOptions(input), enabled: isSettled });
  const [clash] = clashes;
  if (!clash) return null;
  return (
    <p role="status" className="flex items-start gap-1.5 text-sm text-warn-ink">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="[overflow-wrap:anywhere]">{formatClash(clash, clashes.length, start, zone)} You can book it anyway.</span>
    </p>
  );
}

/** Checks for clashes again after saving, because a colleague may have booked the person while the form was open. Ignores errors. */
export async function notifyOfClash(queryClient: QueryClient, booking: StaffBooking): Promise<void> {
  const clashes = await queryClient.query({ ...clashesQueryOptions(toClashesInput(booking)), staleTime: 0 }).catch(() => []);
  const [clash] = clashes;
  if (clash) toast.blank(formatClash(clash, clashes.length, booking.start, booking.zone));
}
