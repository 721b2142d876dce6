import type { Attachment, JobComment, NewJobComment } from '@callout/contract/comments';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { type Answers, openPage } from './open-page.tsx';
import { JOB, OWNER, SAM } from './people.ts';
import { playUploads } from './upload-request.ts';

export const COMMENTS = `GET /comments?job_id=${JOB.id}`;

export const attachment = (id: string, over: Partial<Attachment> = {}): Attachment => ({
  id,
  file_name: `${id}.jpg`,
  file_size: 1536,
  file_type: 'image/jpeg',
  url: `/api/files/${id}`,
  thumbnail_url: `/api/files/${id}/thumbnail`,
  ...over,
});
export const PLAN = attachment('plan', { file_name: 'plan.pdf', file_type: 'application/pdf', thumbnail_url: null });

/** Of 9:05 in the morning of January 5 in Auckland. */
export const comment = (over: Partial<JobComment> = {}): JobComment => ({
  id: 'comment-1',
  content: 'The valve leaks',
  created_at: '2025-01-04T20:05:00.000Z',
  author: { staff_id: SAM.id, name: 'Sam Leota', avatar_url: null },
  attachments: [],
  ...over,
});

interface Server {
  comments: JobComment[];
  sent: NewJobComment[];
}

/** A job's page whose server has these comments and takes new ones. */
export function openComments(comments: JobComment[] = [], more: Answers = {}) {
  const server: Server = { comments, sent: [] };
  const uploads = playUploads();
  const page = openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => OWNER,
    [`GET /jobs/${JOB.id}`]: () => JOB,
    [COMMENTS]: () => ({ rows: server.comments }),
    'POST /comments': (input) => {
      const { id, content, file_ids } = input as NewJobComment;
      server.sent.push(input as NewJobComment);
      const added = comment({ id, content, attachments: file_ids.map((fileId) => attachment(fileId)) });
      server.comments = [...server.comments.filter((other) => other.id !== id), added];
      return added;
    },
    ...more,
  });
  return { ...page, server, uploads };
}

export const section = async () => within(await screen.findByRole('region', { name: /^Comments/ }));
export const composer = () => screen.findByLabelText('Comment');
export const photo = (name = 'leak.png') => new File(['bytes'], name, { type: 'image/png' });

/** As if a person had chosen these files in the browser's dialog. */
export async function chooseIn(selector: string, ...files: File[]): Promise<void> {
  const input = document.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error('There is no file input');
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  await act(async () => fireEvent.change(input));
}
