import type { Attachment, JobComment, NewJobComment } from '@callout/contract/comments';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { ADMIN_USER, JOB, SAM } from './fixtures.ts';
import { mockUploads } from './mock-upload.ts';
import { type MockApi, openPage } from './open-page.tsx';

export const LIST_COMMENTS_CALL = `GET /comments?job_id=${JOB.id}`;

export const buildAttachment = (id: string, overrides: Partial<Attachment> = {}): Attachment => ({
  id,
  file_name: `${id}.jpg`,
  file_size: 1536,
  file_type: 'image/jpeg',
  url: `/api/files/${id}`,
  thumbnail_url: `/api/files/${id}/thumbnail`,
  ...overrides,
});
export const PDF_ATTACHMENT = buildAttachment('plan', { file_name: 'plan.pdf', file_type: 'application/pdf', thumbnail_url: null });

/** Builds a comment that was written at 9:05 AM in Auckland on January 5. */
export const buildComment = (overrides: Partial<JobComment> = {}): JobComment => ({
  id: 'comment-1',
  content: 'The valve leaks',
  created_at: '2025-01-04T20:05:00.000Z',
  made_at: null,
  edited_at: null,
  mentions: [],
  version: 1,
  author: { staff_id: SAM.id, name: 'Sam Leota', avatar_url: null, hex_code: null },
  attachments: [],
  ...overrides,
});

interface CommentServer {
  comments: JobComment[];
  sent: NewJobComment[];
}

/** Opens a job's page with a mock server that returns `comments` and stores new ones. */
export function openJobComments(comments: JobComment[] = [], responses: MockApi = {}) {
  const server: CommentServer = { comments, sent: [] };
  const uploads = mockUploads();
  const page = openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ADMIN_USER,
    [`GET /jobs/${JOB.id}`]: () => JOB,
    [LIST_COMMENTS_CALL]: () => ({ rows: server.comments }),
    'POST /comments': (input) => {
      const { id, content, file_ids } = input as NewJobComment;
      server.sent.push(input as NewJobComment);
      const added = buildComment({ id, content, attachments: file_ids.map((fileId) => buildAttachment(fileId)) });
      server.comments = [...server.comments.filter((other) => other.id !== id), added];
      return added;
    },
    ...responses,
  });
  return { ...page, server, uploads };
}

export const findCommentsSection = async () => within(await screen.findByRole('region', { name: /^Comments/ }));
export const findCommentField = () => screen.findByLabelText('Comment');
export const createPhoto = (name = 'leak.png') => new File(['bytes'], name, { type: 'image/png' });

/** Simulates choosing `files` in the browser's file picker. */
export async function chooseFiles(selector: string, ...files: File[]): Promise<void> {
  const input = document.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error('No file input found');
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  await act(async () => fireEvent.change(input));
}
