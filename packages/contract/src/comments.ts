import { MAX_COMMENT_FILES, MAX_COMMENT_LENGTH, TOO_MANY_FILES_ERROR } from '@callout/domain/files/attachment';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { customerNotFoundError } from './customers.ts';
import { idTakenError, limitReachedError, notFoundError, staleVersionError } from './errors.ts';
import { Cursor, Id, Instant, OutputId, optionalLongText, RecordVersion } from './fields.ts';
import { jobNotFoundError } from './jobs.ts';
import { idInput, pageSchema } from './lists.ts';

export const Attachment = z.object({
  id: OutputId,
  file_name: z.string(),
  file_size: z.int(),
  file_type: z.string(),
  url: z.string(),
  /** Null unless the file is an image. */
  thumbnail_url: z.string().nullable(),
});
export type Attachment = z.infer<typeof Attachment>;

export const JobComment = z.object({
  id: OutputId,
  /** Contains '@[staff id]' where someone is mentioned. */
  content: z.string(),
  /** The mentioned people with their current names. The name remains if the person is deleted. */
  mentions: z.array(z.object({ staff_id: OutputId, name: z.string() })),
  /** When the comment arrived. */
  created_at: Instant,
  /** When the author pressed the button, if the comment arrived more than a minute later; otherwise null. */
  made_at: Instant.nullable(),
  /** Null unless the author has changed the text. */
  edited_at: Instant.nullable(),
  version: RecordVersion,
  /** `name` is the company's name if the owner wrote the comment. The name remains if the author is deleted. */
  author: z.object({
    staff_id: OutputId.nullable(),
    name: z.string(),
    avatar_url: z.string().nullable(),
    hex_code: z.string().nullable(),
  }),
  attachments: z.array(Attachment),
});
export type JobComment = z.infer<typeof JobComment>;

const commentText = optionalLongText('Comment', MAX_COMMENT_LENGTH).transform((text) => text ?? '');
export const EMPTY_COMMENT_ERROR = 'Please write something or add a file';

export const NewJobComment = z
  .object({
    id: Id,
    job_id: Id,
    content: commentText,
    file_ids: z.array(Id).max(MAX_COMMENT_FILES, TOO_MANY_FILES_ERROR).default([]),
  })
  .refine(({ content, file_ids }) => content !== '' || file_ids.length > 0, {
    error: EMPTY_COMMENT_ERROR,
    path: ['content'],
  });
export type NewJobComment = z.infer<typeof NewJobComment>;

/** Empty only if the comment has files. */
export const JobCommentChange = z.object({ id: Id, version: RecordVersion, content: commentText });
export type JobCommentChange = z.infer<typeof JobCommentChange>;

/** A file from one of a customer's jobs, with the job and comment it belongs to. */
export const CustomerAttachment = Attachment.extend({
  job: z.object({ id: OutputId, job_number: z.string(), title: z.string() }),
  comment: JobComment.pick({ id: true, created_at: true, author: true }).extend({
    /** The beginning of the comment's text, with names where people are mentioned. */
    content: z.string(),
  }),
});
export type CustomerAttachment = z.infer<typeof CustomerAttachment>;

/** A change to a record. `changes` maps each field to its values before and after, with names in place of ids. */
export const RecordEvent = z.object({
  id: OutputId,
  at: Instant,
  /** When the person pressed the button, if the change arrived more than a minute later; otherwise null. */
  made_at: Instant.nullable(),
  who: z.string(),
  action: z.string(),
  changes: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])),
});
export type RecordEvent = z.infer<typeof RecordEvent>;

/** A job's comments are listed without pagination, so their number is limited. */
export const MAX_JOB_COMMENTS = 1000;
export const MAX_JOB_COMMENT_BYTES = 2_000_000;
/** Limits the earlier texts of edited and deleted comments, which the job's history keeps. */
export const MAX_JOB_COMMENT_HISTORY_BYTES = 10_000_000;
export const commentLimitError = limitReachedError('A job can have at most 1,000 comments.');
export const commentLengthLimitError = limitReachedError("This job's comments have reached their size limit.");

export const commentNotFoundError = notFoundError('Comment not found');

export const comments = {
  list: defineCall('work.view')
    .route({ method: 'GET', path: '/comments', summary: "List a job's comments, oldest first", tags: ['comments'] })
    .input(z.object({ job_id: Id }))
    .output(z.object({ rows: z.array(JobComment) }))
    .errors(jobNotFoundError),

  add: defineCall('jobs.work')
    .route({
      method: 'POST',
      path: '/comments',
      summary: 'Comment on a job under a client-generated id, with files uploaded earlier',
      tags: ['comments'],
      successStatus: 201,
    })
    .input(NewJobComment)
    .output(JobComment)
    .errors({ ...jobNotFoundError, ...idTakenError, ...commentLimitError }),

  update: defineCall('jobs.work')
    .route({
      method: 'PUT',
      path: '/comments/{id}',
      summary: "Change the text of one of your own comments; the job's history keeps the old text",
      tags: ['comments'],
    })
    .input(JobCommentChange)
    .output(JobComment)
    .errors({ ...commentNotFoundError, ...staleVersionError(JobComment), ...commentLimitError }),

  remove: defineCall('jobs.work')
    .route({
      method: 'DELETE',
      path: '/comments/{id}',
      summary: 'Delete a comment with its files: your own, or any if you may edit jobs',
      tags: ['comments'],
    })
    .input(idInput)
    .output(z.object({}))
    .errors(commentNotFoundError),

  ofCustomer: defineCall('work.view')
    .route({
      method: 'GET',
      path: '/customers/{id}/attachments',
      summary: "List the files of a customer's jobs, newest first",
      tags: ['comments'],
    })
    .input(idInput.extend({ cursor: Cursor.optional() }))
    .output(pageSchema(CustomerAttachment))
    .errors(customerNotFoundError),

  history: defineCall('work.view')
    .route({ method: 'GET', path: '/jobs/{id}/history', summary: "List a job's history, newest first", tags: ['jobs'] })
    .input(idInput.extend({ cursor: Cursor.optional() }))
    .output(pageSchema(RecordEvent))
    .errors(jobNotFoundError),
};
