import type { JobComment } from '@callout/contract/comments';
import { formatMentions, type Mention } from '@callout/domain/comments/mention';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { defineCommand, overlay } from '../../lib/commands/define-command.ts';
import { UploadError } from '../../lib/commands/outbox.ts';
import type { StoredFile } from '../../lib/commands/stored-command.ts';
import { CallError, getErrorMessage } from '../../lib/error-messages.ts';
import { getJobLane, type NamedJob } from '../jobs/jobs.api.ts';

export function commentsQueryOptions(jobId: string) {
  return queryOptions({
    // 'comments' is the live-update topic, so a new comment refetches every query that has 'comments' as its first key.
    queryKey: ['comments', 'job', jobId],
    queryFn: async ({ signal }) => (await api.comments.list({ job_id: jobId }, { signal })).rows,
    meta: { inlineErrors: true },
  });
}

export interface CommentCommand {
  readonly job: NamedJob;
  readonly comment: { readonly id: string; readonly content: string; readonly mentions: readonly Mention[] };
}

/** What the commands for a job's comments have in common. They are sent in order, so that a conversation stays in order. */
const commentCommand = {
  lane: ({ job }: CommentCommand) => `comments:${job.id}`,
  after: ({ job }: CommentCommand) => [getJobLane(job.id)],
  href: ({ job }: CommentCommand) => `/jobs/${job.id}`,
  invalidates: [['comments']],
};

const overlayComments = ({ job }: CommentCommand, change: (rows: readonly JobComment[]) => readonly JobComment[]) => [
  overlay(commentsQueryOptions(job.id).queryKey, change),
];

/** Names the command by its comment, whose whole text it shows: if the comment is refused, that text exists nowhere else. */
function describe(action: string, { job, comment: { content, mentions } }: CommentCommand): string {
  const text = formatMentions(content, mentions);
  return `${action}${job.job_number === '' ? '' : ` on #${job.job_number}`}${text === '' ? '' : `: ${text}`}`;
}

const MISSING_USER_OR_JOB_MESSAGE = 'No authenticated user or job ID';

export interface CommentFile extends StoredFile {
  readonly size: number;
}

export interface CommentPost extends CommentCommand {
  /** The person who comments, as far as the page knows them. Undefined if nobody is signed in. */
  readonly author: JobComment['author'] | undefined;
  readonly files: readonly CommentFile[];
  /** Files that an earlier version of Callout has uploaded. */
  readonly uploadedIds?: readonly string[];
}

export const addComment = defineCommand<'comments.add', CommentPost>({
  ...commentCommand,
  call: 'comments.add',
  toInput: ({ job, comment: { id, content }, author, files, uploadedIds = [] }) => {
    if (!author || job.id === '') throw new CallError('INVALID_INPUT', { status: 400, message: MISSING_USER_OR_JOB_MESSAGE });
    return { id, job_id: job.id, content, file_ids: [...uploadedIds, ...files.map((file) => file.id)] };
  },
  files: ({ files }) => files.map(({ id, name, type }) => ({ id, name, type })),
  keepsRefused: true,
  describe: (post) => describe('Comment', post),
  overlays: (post, { madeAt }) =>
    overlayComments(post, (rows) => (rows.some(({ id }) => id === post.comment.id) ? rows : [...rows, toJobComment(post, madeAt)])),
  cacheAnswer: cacheComment,
  failure: (error) =>
    error instanceof UploadError ? `Failed to upload files: ${getErrorMessage(error)}` : `Failed to add comment: ${getErrorMessage(error)}`,
});

const UNKNOWN_AUTHOR: JobComment['author'] = { staff_id: null, name: '', avatar_url: null, hex_code: null };

/** Returns the comment as the server will answer it. */
export const toJobComment = ({ comment, author = UNKNOWN_AUTHOR, files }: Omit<CommentPost, 'job'>, madeAt: string): JobComment => ({
  id: comment.id,
  content: comment.content,
  mentions: [...comment.mentions],
  created_at: madeAt,
  made_at: null,
  edited_at: null,
  version: 1,
  author,
  attachments: files.map(({ id, name, type, size }) => ({
    id,
    file_name: name,
    file_size: size,
    file_type: type,
    url: `/api/files/${id}`,
    thumbnail_url: null,
  })),
});

export interface CommentChange extends CommentCommand {
  /** The version that the change is based on. */
  readonly version: number;
}

/** The editor shows failures itself and keeps the typed text. */
export const updateComment = defineCommand<'comments.update', CommentChange>({
  ...commentCommand,
  call: 'comments.update',
  toInput: ({ comment: { id, content }, version }) => ({ id, version, content }),
  describe: (change) => describe('Edit comment', change),
  overlays: (change, { madeAt }) => {
    const { comment, version } = change;
    const text = { content: comment.content, mentions: [...comment.mentions] };
    const update = (row: JobComment) =>
      row.id === comment.id && row.version === version ? { ...row, ...text, version: version + 1, edited_at: madeAt } : row;
    return overlayComments(change, (rows) => rows.map(update));
  },
  cacheAnswer: cacheComment,
});

export const removeComment = defineCommand<'comments.remove', CommentCommand>({
  ...commentCommand,
  call: 'comments.remove',
  toInput: ({ comment: { id } }) => ({ id }),
  describe: (removal) => describe('Delete comment', removal),
  overlays: (removal) => overlayComments(removal, (rows) => rows.filter(({ id }) => id !== removal.comment.id)),
  success: 'Comment deleted',
  failure: 'Failed to delete comment: {message}',
});

/** Puts a comment that the server has answered into the cached list, in the place of what the page has shown for it. */
function cacheComment(queryClient: QueryClient, saved: JobComment, { job }: CommentCommand): void {
  const { queryKey } = commentsQueryOptions(job.id);
  queryClient.setQueryData(queryKey, (rows) => rows?.map((row) => (row.id === saved.id ? saved : row)));
}
