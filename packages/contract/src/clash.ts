import { z } from 'zod';
import { Instant, OutputId } from './fields.ts';

/** Another booking of the same person that overlaps the booking in question. */
export const Clash = z.object({
  kind: z.enum(['job', 'task']),
  id: OutputId,
  /** Null for a task. */
  job_number: z.string().nullable(),
  title: z.string(),
  staff_name: z.string(),
  starts_at: Instant,
  ends_at: Instant,
  overlap_minutes: z.int(),
});
export type Clash = z.infer<typeof Clash>;

/** Clashes caused by a change. They are allowed, but reported to the person who made the change. */
export const clashFields = { clashes: z.array(Clash) };
