import { z } from 'zod';
import { Instant, OutputId } from './fields.ts';

/** A booking that overlaps another booking of the same person. */
export const Clash = z.object({
  kind: z.enum(['job', 'task']),
  id: OutputId,
  /** Null if the booking is a task. */
  job_number: z.string().nullable(),
  title: z.string(),
  staff_name: z.string(),
  starts_at: Instant,
  ends_at: Instant,
  overlap_minutes: z.int(),
});
export type Clash = z.infer<typeof Clash>;

/** Clashes are allowed, but reported to the person who caused them. */
export const clashFields = { clashes: z.array(Clash) };
export interface WithClashes {
  readonly clashes: Clash[];
}
