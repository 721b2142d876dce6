import { DAY_MS } from '@callout/domain/time/time-units';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { JobComment } from './comments.ts';
import { Customer } from './customers.ts';
import { inputInstant, OutputId } from './fields.ts';
import { Job } from './jobs.ts';

/** A person has rarely more jobs within a week. If there are more, the pack contains the ones next to now. */
export const MAX_PACKED_JOBS = 40;
export const MAX_PACKED_COMMENTS = 1_000;
const MAX_PACK_DAYS = 10;

export const dayPack = {
  pack: defineCall('work.view')
    .route({
      method: 'GET',
      path: '/calendar/pack',
      summary: 'Get my booked jobs between two instants, with their customers and comments, for work without a connection',
      tags: ['calendar'],
    })
    .input(
      z
        .object({ from: inputInstant('From'), to: inputInstant('To') })
        .refine(({ from, to }) => from < to, { error: 'The end must be after the start', path: ['to'] })
        .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= MAX_PACK_DAYS * DAY_MS, {
          error: `Choose at most ${MAX_PACK_DAYS} days`,
          path: ['to'],
        }),
    )
    .output(
      z.object({
        jobs: z.array(Job),
        customers: z.array(Customer),
        /** The comments of each job. A job is missing if it has too many. */
        comments: z.array(z.object({ job_id: OutputId, rows: z.array(JobComment) })),
      }),
    ),
};
