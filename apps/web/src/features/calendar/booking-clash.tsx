import { type QueryClient, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useDebounced } from '../../ui/debounced-search-field.tsx';
import { toast } from '../../ui/toast.ts';
import type { TypedBooking } from '../jobs/job-fields.tsx';
import { clashesOptions } from './calendar.api.ts';
import { clashText } from './calendar-clashes.ts';

const PAUSE_MS = 300;

const questionOf = ({ staffId, start, hours, jobId }: TypedBooking) => ({
  staff_id: staffId,
  starts_at: start,
  duration: hours,
  ...(jobId !== undefined && { except_id: jobId }),
});

/** Says before something is saved what else takes that person's time. It never prevents saving. */
export function BookingClash(booking: TypedBooking) {
  const { start, zone } = booking;
  const question = questionOf(booking);
  const text = JSON.stringify(question);
  const isSettled = useDebounced(text, PAUSE_MS) === text;
  const { data: clashes = [] } = useQuery({ ...clashesOptions(question), enabled: isSettled });
  const [clash] = clashes;
  if (!clash) return null;
  return (
    <p role="status" className="flex items-start gap-1.5 text-sm text-warn-ink">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="[overflow-wrap:anywhere]">{clashText(clash, clashes.length, start, zone)} You can book it anyway.</span>
    </p>
  );
}

/**
 * After a form was saved that books somebody: a colleague may have booked the same person while it was open, and neither of them knew.
 * When it cannot be asked, nothing is said.
 */
export async function tellClash(queryClient: QueryClient, booking: TypedBooking): Promise<void> {
  const clashes = await queryClient.query({ ...clashesOptions(questionOf(booking)), staleTime: 0 }).catch(() => []);
  const [clash] = clashes;
  if (clash) toast.blank(clashText(clash, clashes.length, booking.start, booking.zone));
}
