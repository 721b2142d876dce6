import type { CustomerAttachment } from '@callout/contract/comments';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ADMIN_USER, CUSTOMER, JOB, SAM } from './fixtures.ts';
import { openPage } from './open-page.tsx';

const ATTACHMENTS_CALL = `GET /customers/${CUSTOMER.id}/attachments`;

const PHOTO: CustomerAttachment = {
  id: 'photo',
  file_name: 'leak.jpg',
  file_size: 1_572_864,
  file_type: 'image/jpeg',
  url: '/api/files/photo',
  thumbnail_url: '/api/files/photo/thumbnail',
  job: { id: JOB.id, job_number: JOB.job_number, title: JOB.title },
  comment: {
    id: 'comment-1',
    content: 'The valve leaks',
    created_at: '2025-01-04T20:05:00.000Z',
    author: { staff_id: SAM.id, name: 'Sam Leota', avatar_url: null, hex_code: null },
  },
};
const PLAN: CustomerAttachment = {
  ...PHOTO,
  id: 'plan',
  file_name: 'plan.pdf',
  file_size: 1536,
  file_type: 'application/pdf',
  url: '/api/files/plan',
  thumbnail_url: null,
};

beforeEach(() => window.happyDOM.setViewport({ width: 1440 }));
afterEach(() => window.happyDOM.setViewport({ width: 1024 }));

function openAttachments(respond: () => unknown) {
  return openPage(`/customers/${CUSTOMER.id}?tab=attachments`, {
    'GET /me': () => ADMIN_USER,
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    [ATTACHMENTS_CALL]: respond,
  });
}

it.each([
  ['desktop', 1440],
  ['phone', 390],
])("a customer's attachments show name, type, size, job, comment and author on a %s", async (_, width) => {
  window.happyDOM.setViewport({ width });
  openAttachments(() => ({ rows: [PHOTO, PLAN], next_cursor: null }));
  const row = (await screen.findByText('leak.jpg')).closest('[data-row]');
  for (const text of ['JPG', '1.5 MB', 'Roof repair', 'Sam Leota', 'The valve leaks']) expect(row?.textContent).toContain(text);
  const plan = screen.getByText('plan.pdf').closest('[data-row]');
  expect([plan?.getAttribute('href'), plan?.getAttribute('download')]).toEqual(['/api/files/plan?download', 'plan.pdf']);
  expect(screen.getAllByRole('link', { name: 'Open job Roof repair' })[0]?.getAttribute('href')).toBe(`/jobs/${JOB.id}`);
});

it('a photo opens in the viewer, and Back closes it without leaving the page', async () => {
  const { router, path } = openAttachments(() => ({ rows: [PHOTO, PLAN], next_cursor: null }));
  await screen.findByText('leak.jpg');
  await act(() => router.navigate({ to: '/customers/$id', params: { id: CUSTOMER.id }, search: { tab: 'attachments', edit: 'true' } }));
  await act(async () => fireEvent.click(await screen.findByText('leak.jpg')));
  const dialog = await screen.findByRole('dialog', { name: 'leak.jpg' });
  expect(within(dialog).getByText('1 / 1', { exact: false })).toBeDefined();
  await act(async () => window.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(path()).toBe(`/customers/${CUSTOMER.id}`);
  expect(router.state.location.search).toMatchObject({ edit: 'true' });
});

it('a customer without attachments shows an empty state', async () => {
  openAttachments(() => ({ rows: [], next_cursor: null }));
  expect(await screen.findByText('No attachments found')).toBeDefined();
});
