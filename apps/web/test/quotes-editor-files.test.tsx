import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Answers, press, refuse, typeInto } from './open-page.tsx';
import { EDIT, NEW, openEditor } from './open-quote-editor.ts';
import { QUOTE } from './people.ts';
import { playUploads } from './upload-request.ts';

const PLAN = {
  id: '018f0000-0000-7000-8000-00000000f001',
  file_name: 'plan.pdf',
  file_size: 2048,
  file_type: 'application/pdf',
  url: '/api/files/1',
  thumbnail_url: null,
};
const PHOTO = { ...PLAN, id: '018f0000-0000-7000-8000-00000000f002', file_name: 'photo.png', file_type: 'image/png' };

async function openFiles(path: string, quote = QUOTE, more: Answers = {}) {
  const uploads = playUploads();
  const page = openEditor(path, { 'GET /quotes/{id}': () => quote, ...more });
  await screen.findByLabelText('Title');
  await act(async () => fireEvent.click(screen.getByRole('tab', { name: /^Attachments/ })));
  await screen.findByRole('button', { name: 'Add files' });
  return { ...page, uploads };
}

const choose = (...files: File[]) =>
  act(async () => fireEvent.change(document.querySelector('input[type=file]') ?? document.body, { target: { files } }));
const file = (name: string, type = 'image/png') => new File(['bytes'], name, { type });
const names = () =>
  screen
    .queryAllByRole('link')
    .map(({ textContent }) => textContent)
    .filter((name) => /\.\w{3}$/.test(name ?? ''));

it('are uploaded at once with their progress, counted in the tab, and saved with the quote', async () => {
  const { server, uploads } = await openFiles(NEW);
  await choose(file('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  act(() => uploads[0]?.progress(0.5));
  expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Upload of photo.png' }).value).toBe(0.5);
  expect(screen.getByRole('tab', { name: 'Attachments (1)' })).toBeDefined();
  await act(async () => uploads[0]?.answer());
  await waitFor(() => expect(names()).toEqual(['photo.png']));
  await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Quote' })));
  typeInto('Title', 'Hot water');
  await press('Create Quote');
  await waitFor(() => expect(server.created).toHaveLength(1));
  expect(uploads[0]?.url).toBe(`/api/files/${server.created[0]?.attachment_ids[0]}`);
});

it('of another type are refused', async () => {
  const { uploads } = await openFiles(NEW);
  await choose(file('tool.exe', 'application/x-msdownload'));
  expect((await screen.findByRole('alert')).textContent).toMatch(/tool\.exe: File type must be .*\.png.*\.docx/);
  expect(uploads).toEqual([]);
});

it('that failed can be tried again, and do not stop the quote', async () => {
  const { server, uploads } = await openFiles(EDIT);
  await choose(file('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await act(async () => uploads[0]?.fail());
  await press('Retry photo.png');
  await waitFor(() => expect(uploads).toHaveLength(2));
  await act(async () => uploads[1]?.fail());
  await screen.findByRole('button', { name: 'Retry photo.png' });
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ attachment_ids: [] }]));
});

it('that failed are named when the editor closes without them', async () => {
  const { uploads, path } = await openFiles(EDIT);
  await choose(file('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await act(async () => uploads[0]?.fail());
  await press('Save Changes');
  await waitFor(() => expect(path()).toBe(`/quotes/${QUOTE.id}`));
  expect(await screen.findByText("photo.png couldn't be uploaded and isn't in the quote.")).toBeDefined();
});

it('that are still on their way are named before the quote is saved without them', async () => {
  const { server, uploads } = await openFiles(EDIT);
  await choose(file('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await press('Save Changes');
  const dialog = await screen.findByRole('alertdialog', { name: 'Files are still uploading' });
  expect(dialog.textContent).toContain('1 file is still on the way. The quote would be saved without it.');
  await press('Wait');
  expect(server.updated).toEqual([]);
  await press('Cancel upload of photo.png');
  expect(uploads[0]?.isAborted).toBe(true);
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toHaveLength(1));
});

it('stay in the order in which they were chosen, whichever arrives first', async () => {
  const { uploads } = await openFiles(EDIT, { ...QUOTE, attachments: [PLAN] });
  await choose(file('first.png'), file('second.png'));
  await waitFor(() => expect(uploads).toHaveLength(2));
  const arrive = (name: string) => act(async () => uploads.find((upload) => upload.file?.name === name)?.answer());
  await arrive('second.png');
  await waitFor(() => expect(names()).toEqual(['plan.pdf', 'second.png']));
  await arrive('first.png');
  await waitFor(() => expect(names()).toEqual(['plan.pdf', 'first.png', 'second.png']));
});

it('are put in order and removed, the last one too', async () => {
  const { server } = await openFiles(EDIT, { ...QUOTE, attachments: [PLAN, PHOTO] });
  expect(names()).toEqual(['plan.pdf', 'photo.png']);
  await press('Move photo.png up');
  expect(names()).toEqual(['photo.png', 'plan.pdf']);
  await press('Remove photo.png');
  await press('Remove plan.pdf');
  expect(screen.getByText('No attachments yet')).toBeDefined();
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ attachment_ids: [] }]));
});

it('that are still on their way are not left behind without a question', async () => {
  const { router, path, uploads } = await openFiles(EDIT);
  await choose(file('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  act(() => router.history.push('/customers'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Leave while a file is uploading?' });
  expect(dialog.textContent).toContain('A file is still uploading.');
  await press('Keep editing');
  expect([path(), uploads[0]?.isAborted]).toEqual([EDIT, false]);
  await act(async () => uploads[0]?.answer());
  await waitFor(() => expect(names()).toEqual(['photo.png']));
});

it('cannot be added while the quote is being saved, and one that was cancelled for the save can be sent again', async () => {
  let answer: () => void = () => undefined;
  const { uploads } = await openFiles(EDIT, QUOTE, {
    'PUT /quotes/{id}': async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return refuse('FORBIDDEN', 'No');
    },
  });
  await choose(file('photo.png'));
  await waitFor(() => expect(uploads).toHaveLength(1));
  await press('Save Changes');
  await press('Save without files');
  expect(uploads[0]?.isAborted).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add files' }).disabled).toBe(true);
  await choose(file('late.png'));
  expect((await screen.findByText(/Please wait until the quote is saved/)).parentElement?.textContent).toContain('late.png');
  await act(async () => answer());
  await press('Retry photo.png');
  await waitFor(() => expect(uploads).toHaveLength(2));
});
