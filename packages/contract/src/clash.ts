import { z } from 'zod';
import { Instant, OutputId } from './fields.ts';

/** Something else that takes the same person's time. */
export const Clash = z.object({
  kind: z.enum(['job', 'task']),
  id: OutputId,
  /** Of a job. */
  job_number: z.string().nullable(),
  title: z.string(),
  staff_name: z.string(),
  starts_at: Instant,
  ends_at: Instant,
  overlap_minutes: z.int(),
});
export type Clash = z.infer<typeof Clash>;

/** What a change has made a person do at the same time; allowed, and told to whoever made it. */
export const withClashes = { clashes: z.array(Clash) };
