import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { QUOTE } from './fixtures.ts';
import { mockUploads } from './mock-upload.ts';
import { failWith, type MockApi, pressButton, typeInto } from './open-page.tsx';
import { EDIT_QUOTE_PATH, NEW_QUOTE_PATH, openQuoteEditor } from './open-quote-editor.ts';

const PDF_ATTACHMENT = {
  id: '018f0000-0000-7000-8000-00000000f001',
  file_name: 'plan.pdf',
  file_size: 2048,
  file_type: 'application/pdf',
  url: '/api/files/1',
  thumbnail_url: null,
};
const PHOTO_ATTACHMENT = { ...PDF_ATTACHMENT, id: '018f0000-0000-7000-8000-00000000f002', file_name: 'photo.png', file_type: 'image/png' };

async function openAttachmentsTab(path: string, quote = QUOTE, responses: MockApi = {}) {
  const uploads = mockUploads();
  const page = openQuoteEditor(path, { 'GET /quotes/{id}': () => quote, ...responses });
  await screen.findByLabelText('Title');
  await act(async () => fireEvent.click(screen.getByRole('tab', { name: /^Attachments/ })));
  await screen.findByRole('button', { name: 'Add files' });
  return { ...page, uploads };
}

const chooseFiles = (...files: File[]) =>
  act(async () => fireEvent.change(document.querySelector('input[type=file]') ?? document.body, { target: { files } }));
const createFile = (name: string, type = 'image/png') => new File(['bytes'], name, { type });
const getFileNames = () =>
  screen
    .queryAllByRole('link')
    .map(({ textContent }) => textContent)
    .filter((name) => /\.\w{3}$/.test(name ?? ''));

it('uploads attachments immediately, shows progress, counts them in the tab and saves them with the quote', async () => {
  const { server, uploads } = await openAttachmentsTab(NEW_QUOTE_PATH);
  await chooseFiles(createFile('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  act(() => uploads[0]?.reportProgress(0.5));
  expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Upload of photo.png' }).value).toBe(0.5);
  expect(screen.getByRole('tab', { name: 'Attachments (1)' })).toBeDefined();
  await act(async () => uploads[0]?.respond());
  await waitFor(() => expect(getFileNames()).toEqual(['photo.png']));
  await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Quote' })));
  typeInto('Title', 'Hot water');
  await pressButton('Create Quote');
  await waitFor(() => expect(server.created).toHaveLength(1));
  expect(uploads[0]?.url).toBe(`/api/files/${server.created[0]?.attachment_ids[0]}`);
});

it('rejects an attachment with an unsupported file type', async () => {
  const { uploads } = await openAttachmentsTab(NEW_QUOTE_PATH);
  await chooseFiles(createFile('tool.exe', 'application/x-msdownload'));
  expect((await screen.findByRole('alert')).textContent).toMatch(/tool\.exe: File type must be .*\.png.*\.docx/);
  expect(uploads).toEqual([]);
});

it('offers a retry for a failed upload without blocking the save', async () => {
  const { server, uploads } = await openAttachmentsTab(EDIT_QUOTE_PATH);
  await chooseFiles(createFile('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await act(async () => uploads[0]?.fail());
  await pressButton('Retry photo.png');
  await waitFor(() => expect(uploads).toHaveLength(2));
  await act(async () => uploads[1]?.fail());
  await screen.findByRole('button', { name: 'Retry photo.png' });
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ attachment_ids: [] }]));
});

it('names the failed uploads when the quote is saved without them', async () => {
  const { uploads, path } = await openAttachmentsTab(EDIT_QUOTE_PATH);
  await chooseFiles(createFile('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await act(async () => uploads[0]?.fail());
  await pressButton('Save Changes');
  await waitFor(() => expect(path()).toBe(`/quotes/${QUOTE.id}`));
  expect(await screen.findByText("photo.png couldn't be uploaded and isn't in the quote.")).toBeDefined();
});

it('asks before saving a quote without a file that is still uploading', async () => {
  const { server, uploads } = await openAttachmentsTab(EDIT_QUOTE_PATH);
  await chooseFiles(createFile('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await pressButton('Save Changes');
  const dialog = await screen.findByRole('alertdialog', { name: 'Save without files?' });
  expect(dialog.textContent).toContain('1 file is still uploading. The quote would be saved without it.');
  await pressButton('Wait');
  expect(server.updated).toEqual([]);
  await pressButton('Cancel upload of photo.png');
  expect(uploads[0]?.isAborted).toBe(true);
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toHaveLength(1));
});

it('keeps attachments in the chosen order, whichever upload finishes first', async () => {
  const { uploads } = await openAttachmentsTab(EDIT_QUOTE_PATH, { ...QUOTE, attachments: [PDF_ATTACHMENT] });
  await chooseFiles(createFile('first.png'), createFile('second.png'));
  await waitFor(() => expect(uploads).toHaveLength(2));
  const finishUpload = (name: string) => act(async () => uploads.find((upload) => upload.file?.name === name)?.respond());
  await finishUpload('second.png');
  await waitFor(() => expect(getFileNames()).toEqual(['plan.pdf', 'second.png']));
  await finishUpload('first.png');
  await waitFor(() => expect(getFileNames()).toEqual(['plan.pdf', 'first.png', 'second.png']));
});

it('reorders and removes attachments, including the last one', async () => {
  const { server } = await openAttachmentsTab(EDIT_QUOTE_PATH, { ...QUOTE, attachments: [PDF_ATTACHMENT, PHOTO_ATTACHMENT] });
  expect(getFileNames()).toEqual(['plan.pdf', 'photo.png']);
  await pressButton('Move photo.png up');
  expect(getFileNames()).toEqual(['photo.png', 'plan.pdf']);
  await pressButton('Remove photo.png');
  await pressButton('Remove plan.pdf');
  expect(screen.getByText('No attachments yet')).toBeDefined();
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ attachment_ids: [] }]));
});

it('asks before leaving the editor while a file is uploading', async () => {
  const { router, path, uploads } = await openAttachmentsTab(EDIT_QUOTE_PATH);
  await chooseFiles(createFile('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  act(() => router.history.push('/customers'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Leave while a file is uploading?' });
  expect(dialog.textContent).toContain('A file is still uploading.');
  await pressButton('Keep editing');
  expect([path(), uploads[0]?.isAborted]).toEqual([EDIT_QUOTE_PATH, false]);
  await act(async () => uploads[0]?.respond());
  await waitFor(() => expect(getFileNames()).toEqual(['photo.png']));
});

it('rejects new files while the quote is being saved and lets an upload canceled by the save be retried', async () => {
  let respond: () => void = () => undefined;
  const { uploads } = await openAttachmentsTab(EDIT_QUOTE_PATH, QUOTE, {
    'PUT /quotes/{id}': async () => {
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      return failWith('FORBIDDEN', 'No');
    },
  });
  await chooseFiles(createFile('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await pressButton('Save Changes');
  await pressButton('Save without files');
  expect(uploads[0]?.isAborted).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add files' }).disabled).toBe(true);
  await chooseFiles(createFile('late.png'));
  expect((await screen.findByText(/Please wait until the quote is saved/)).parentElement?.textContent).toContain('late.png');
  await act(async () => respond());
  await pressButton('Retry photo.png');
  await waitFor(() => expect(uploads).toHaveLength(2));
});
