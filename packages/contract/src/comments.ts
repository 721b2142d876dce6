import { MAX_COMMENT_FILES, MAX_COMMENT_LENGTH, TOO_MANY_FILES } from '@callout/domain/files/attachment';
import { z } from 'zod';
import { call } from './call.ts';
import { customerNotFound } from './customers.ts';
import { idTaken, limitReached } from './errors.ts';
import { Cursor, Id, Instant, OutputId, optionalLines } from './fields.ts';
import { jobNotFound } from './jobs.ts';
import { byId, pageOf } from './lists.ts';

export const Attachment = z.object({
  id: OutputId,
  file_name: z.string(),
  file_size: z.int(),
  file_type: z.string(),
  url: z.string(),
  /** Images only. */
  thumbnail_url: z.string().nullable(),
});
export type Attachment = z.infer<typeof Attachment>;

export const JobComment = z.object({
  id: OutputId,
  content: z.string(),
  created_at: Instant,
  /** The company's name for its owner; the name at that time when the person was deleted. */
  author: z.object({ staff_id: OutputId.nullable(), name: z.string(), avatar_url: z.string().nullable() }),
  attachments: z.array(Attachment),
});
export type JobComment = z.infer<typeof JobComment>;

export const NewJobComment = z
  .object({
    id: Id,
    job_id: Id,
    content: optionalLines('Comment', MAX_COMMENT_LENGTH).transform((text) => text ?? ''),
    file_ids: z.array(Id).max(MAX_COMMENT_FILES, TOO_MANY_FILES).default([]),
  })
  .refine(({ content, file_ids }) => content !== '' || file_ids.length > 0, {
    error: 'Please write something or add a file',
    path: ['content'],
  });
export type NewJobComment = z.infer<typeof NewJobComment>;

/** A file of any of a customer's jobs, with where it comes from. */
export const CustomerAttachment = Attachment.extend({
  job: z.object({ id: OutputId, job_number: z.string(), title: z.string() }),
  comment: JobComment.pick({ id: true, created_at: true, author: true }).extend({
    /** The start of it. */
    content: z.string(),
  }),
});
export type CustomerAttachment = z.infer<typeof CustomerAttachment>;

/** A change of a record: `changes` holds each field's values before and after, names instead of ids. */
export const RecordEvent = z.object({
  id: OutputId,
  at: Instant,
  who: z.string(),
  action: z.string(),
  changes: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])),
});
export type RecordEvent = z.infer<typeof RecordEvent>;

/** The comments of a job are listed whole. */
export const MAX_COMMENTS = 1000;
export const MAX_COMMENT_BYTES = 2_000_000;
export const commentLimit = limitReached('A job can have at most 1,000 comments.');
/** The same refusal for another reason. */
export const commentLengthLimit = limitReached('The comments of this job are too long altogether.');

export const comments = {
  list: call('work.view')
    .route({ method: 'GET', path: '/comments', summary: 'The comments of a job, oldest first', tags: ['comments'] })
    .input(z.object({ job_id: Id }))
    .output(z.object({ rows: z.array(JobComment) }))
    .errors(jobNotFound),

  add: call('jobs.work')
    .route({
      method: 'POST',
      path: '/comments',
      summary: 'Comment on a job under a client-made id, with files uploaded before',
      tags: ['comments'],
      successStatus: 201,
    })
    .input(NewJobComment)
    .output(JobComment)
    .errors({ ...jobNotFound, ...idTaken, ...commentLimit }),

  ofCustomer: call('work.view')
    .route({
      method: 'GET',
      path: '/customers/{id}/attachments',
      summary: "The files of a customer's jobs, newest first",
      tags: ['comments'],
    })
    .input(byId.extend({ cursor: Cursor.optional() }))
    .output(pageOf(CustomerAttachment))
    .errors(customerNotFound),

  history: call('work.view')
    .route({ method: 'GET', path: '/jobs/{id}/history', summary: 'Who changed what when, newest first', tags: ['jobs'] })
    .input(byId.extend({ cursor: Cursor.optional() }))
    .output(pageOf(RecordEvent))
    .errors(jobNotFound),
};
