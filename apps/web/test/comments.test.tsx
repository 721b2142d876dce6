import type { Attachment, JobComment, NewJobComment } from '@callout/contract/comments';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { planned } from '../src/ui/link-button.tsx';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { JOB, OWNER, SAM } from './people.ts';
import { playUploads } from './upload-request.ts';

const PATH = `/jobs/${JOB.id}`;
const LIST = `GET /comments?job_id=${JOB.id}`;

const file = (id: string, over: Partial<Attachment> = {}): Attachment => ({
  id,
  file_name: `${id}.jpg`,
  file_size: 1536,
  file_type: 'image/jpeg',
  url: `/api/files/${id}`,
  thumbnail_url: `/api/files/${id}/thumbnail`,
  ...over,
});
const PLAN = file('plan', { file_name: 'plan.pdf', file_type: 'application/pdf', thumbnail_url: null });

const comment = (over: Partial<JobComment> = {}): JobComment => ({
  id: 'comment-1',
  content: 'The valve leaks',
  // 9:05 in the morning of January 5 in Auckland.
  created_at: '2025-01-04T20:05:00.000Z',
  author: { staff_id: SAM.id, name: 'Sam Leota', avatar_url: null },
  attachments: [],
  ...over,
});

interface Server {
  comments: JobComment[];
  sent: NewJobComment[];
}

function openJob(comments: JobComment[] = [], more: Answers = {}) {
  const server: Server = { comments, sent: [] };
  const uploads = playUploads();
  const page = openPage(PATH, {
    'GET /me': () => OWNER,
    [`GET /jobs/${JOB.id}`]: () => JOB,
    [LIST]: () => ({ rows: server.comments }),
    'POST /comments': (input) => {
      const { id, content, file_ids } = input as NewJobComment;
      server.sent.push(input as NewJobComment);
      const added = comment({ id, content, attachments: file_ids.map((fileId) => file(fileId)) });
      server.comments = [...server.comments.filter((other) => other.id !== id), added];
      return added;
    },
    ...more,
  });
  return { ...page, server, uploads };
}

const section = async () => within(await screen.findByRole('region', { name: /^Comments/ }));
const composer = () => screen.findByLabelText('Comment');
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Comment' });
const photo = (name = 'leak.png', bytes: BlobPart = 'bytes') => new File([bytes], name, { type: 'image/png' });
const sized = (name: string, size: number) => Object.defineProperty(photo(name), 'size', { value: size });

async function choose(...files: File[]): Promise<void> {
  await composer();
  const input = document.querySelector<HTMLInputElement>('input[aria-label="Choose files"]');
  if (!input) throw new Error('There is no file input');
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  await act(async () => fireEvent.change(input));
}

const pending = () => screen.queryAllByRole('list', { name: 'Files to send' }).flatMap((list) => within(list).getAllByRole('listitem'));

afterEach(() => window.happyDOM.setViewport({ width: 1024 }));

describe('the comments of a job', () => {
  it('show author, date, text and files, the oldest first', async () => {
    openJob([
      comment({ attachments: [file('leak'), PLAN] }),
      comment({ id: 'comment-2', content: 'Fixed\nand <b>dry</b>, see https://example.com/a.' }),
    ]);
    const view = await section();
    await view.findByText('The valve leaks');
    expect(view.getByRole('heading', { name: 'Comments 2' })).toBeDefined();
    expect(view.getAllByText('Sam Leota')).toHaveLength(2);
    expect(view.getAllByText('Jan 5, 2025 9:05 AM')).toHaveLength(2);
    const first = view.getAllByRole('listitem')[0];
    expect(first?.textContent).toContain('The valve leaks');
    expect(view.getByRole('button', { name: 'Open leak.jpg' }).querySelector('img')?.getAttribute('src')).toBe('/api/files/leak/thumbnail');
    const download = view.getByRole('link', { name: /plan\.pdf/ });
    expect([download.getAttribute('href'), download.getAttribute('download')]).toEqual(['/api/files/plan', 'plan.pdf']);
    expect(download.textContent).toContain('1.5 KB');
    expect(download.querySelector('[data-icon]')?.getAttribute('data-icon')).toBe('document');
    const link = view.getByRole('link', { name: 'https://example.com/a' });
    expect(link.parentElement?.textContent).toBe('Fixed\nand <b>dry</b>, see https://example.com/a.');
    expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('are none yet', async () => {
    openJob();
    await screen.findByText('No comments yet');
    expect(sendButton().disabled).toBe(true);
    expect(screen.getByText('Supported: Images, PDF, DOC, DOCX')).toBeDefined();
  });

  it('that cannot be read say so, and are read again', async () => {
    let isDown = true;
    openJob([comment()], { [LIST]: () => (isDown ? refuse('NOT_FOUND', 'Job not found') : { rows: [comment()] }) });
    const view = await section();
    await view.findByText('Job not found');
    isDown = false;
    await press('Retry');
    await view.findByText('The valve leaks');
  });

  it('of many months open at the latest', async () => {
    openJob(Array.from({ length: 35 }, (_, index) => comment({ id: `comment-${index}`, content: `Text ${index}` })));
    await screen.findByText('Text 34');
    expect(screen.queryByText('Text 4')).toBeNull();
    await press('Show 5 earlier comments');
    expect(screen.getByText('Text 0')).toBeDefined();
  });

  it('a picture without a thumbnail shows an image icon', async () => {
    openJob([comment({ attachments: [file('huge', { thumbnail_url: null })] })]);
    const button = await screen.findByRole('button', { name: 'Open huge.jpg' });
    expect(button.querySelector('[data-icon]')?.getAttribute('data-icon')).toBe('image');
  });
});

describe('a new comment', () => {
  it('needs text or a file', async () => {
    openJob();
    await composer();
    typeInto('Comment', '  \n ');
    expect(sendButton().disabled).toBe(true);
    typeInto('Comment', 'Done');
    expect(sendButton().disabled).toBe(false);
    typeInto('Comment', '');
    await choose(photo());
    expect(sendButton().disabled).toBe(false);
  });

  it('appears at once as Sending…, and is stored once', async () => {
    let answer: () => void = () => undefined;
    const { server } = openJob([], {
      'POST /comments': (input) =>
        new Promise((resolve) => {
          answer = () => {
            const { id, content } = input as NewJobComment;
            server.comments = [comment({ id, content })];
            resolve(server.comments[0]);
          };
        }),
    });
    await composer();
    typeInto('Comment', ' New cylinder in ');
    await act(async () => fireEvent.keyDown(screen.getByLabelText('Comment'), { key: 'Enter', ctrlKey: true }));
    expect(screen.getByText('Sending…')).toBeDefined();
    expect(screen.getByText('New cylinder in')).toBeDefined();
    expect(valueOf('Comment')).toBe('');
    await act(async () => answer());
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(screen.queryByText('Sending…')).toBeNull();
    expect(screen.getAllByText('New cylinder in')).toHaveLength(1);
  });

  it('that failed says why, keeps the text, and is the same comment when sent again', async () => {
    const sent: NewJobComment[] = [];
    const { server } = openJob([], {
      'POST /comments': (input) => {
        sent.push(input as NewJobComment);
        if (sent.length === 1) refuse('UNAVAILABLE', 'The server is restarting');
        const { id, content } = input as NewJobComment;
        server.comments = [comment({ id, content })];
        return server.comments[0];
      },
    });
    await composer();
    typeInto('Comment', 'Ceiling is dry');
    await press('Comment');
    await waitForToasts('Failed to add comment: The server is restarting');
    expect((await section()).getByRole('alert').textContent).toBe('Failed to add comment: The server is restarting');
    await press('Retry');
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(sent[0]?.id).toBe(sent[1]?.id);
    expect(screen.getAllByText('Ceiling is dry')).toHaveLength(1);
  });

  it('whose answer was lost is not shown twice once the server has it', async () => {
    const { server } = openJob([], {
      'POST /comments': (input) => {
        const { id, content } = input as NewJobComment;
        server.comments = [comment({ id, content })];
        throw new TypeError('Failed to fetch');
      },
    });
    await composer();
    typeInto('Comment', 'Ceiling is dry');
    await press('Comment');
    await screen.findByText('Jan 5, 2025 9:05 AM');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull());
    expect(screen.getAllByText('Ceiling is dry')).toHaveLength(1);
  });

  it('that failed can be changed, in front of what was written since', async () => {
    openJob([], { 'POST /comments': () => refuse('INVALID_INPUT', 'A file is no longer there. Please add it again.') });
    await composer();
    typeInto('Comment', 'First');
    await press('Comment');
    await screen.findByRole('button', { name: 'Retry' });
    typeInto('Comment', 'Second');
    await press('Edit');
    expect(valueOf('Comment')).toBe('First\nSecond');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('of 100,000 characters is not sent, and stays', async () => {
    const { server } = openJob();
    await composer();
    typeInto('Comment', 'x'.repeat(100_000));
    expect(screen.getByText('Comment must be at most 10000 characters')).toBeDefined();
    expect(sendButton().disabled).toBe(true);
    fireEvent.keyDown(screen.getByLabelText('Comment'), { key: 'Enter', metaKey: true });
    expect(server.sent).toEqual([]);
    expect(valueOf('Comment')).toHaveLength(100_000);
  });

  it('survives leaving the page, and a reload with the files that had arrived', async () => {
    const { router, uploads, queryClient } = openJob();
    await composer();
    typeInto('Comment', 'Half a sent');
    await choose(photo('leak.png'), photo('valve.png'));
    await act(async () => uploads[0]?.answer());
    await act(() => router.navigate({ to: planned('/no-such-page') }));
    await act(() => router.navigate({ to: '/jobs/$id', params: { id: JOB.id } }));
    await composer();
    expect(valueOf('Comment')).toBe('Half a sent');
    expect(pending()).toHaveLength(2);
    queryClient.clear();
    document.body.replaceChildren();
    openJob();
    await composer();
    expect(valueOf('Comment')).toBe('Half a sent');
    expect(pending().map((row) => row.textContent)).toEqual([
      expect.stringContaining('Uploaded'),
      expect.stringContaining('The upload was interrupted. Please add the file again.'),
    ]);
  });

  it('of a colleague appears by itself', async () => {
    const { server, queryClient } = openJob();
    await screen.findByText('No comments yet');
    server.comments = [comment()];
    // What lib/live.ts does when the server says that comments have changed.
    await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'comments' }));
    await screen.findByText('The valve leaks');
  });
});

describe('files', () => {
  it('are uploaded as soon as they are chosen, three at a time, and sent in their order', async () => {
    const { server, uploads } = openJob();
    await choose(photo('1.png'), photo('2.png'), photo('3.png'), photo('4.png'));
    expect(uploads.map((upload) => upload.file?.name)).toEqual(['1.png', '2.png', '3.png']);
    await act(async () => uploads[1]?.progress(0.5));
    expect(screen.getByLabelText<HTMLProgressElement>('Upload of 2.png').value).toBe(0.5);
    await act(async () => uploads[1]?.answer());
    expect(uploads).toHaveLength(4);
    await press('Comment');
    expect(screen.getByText('Sending…')).toBeDefined();
    expect(server.sent).toEqual([]);
    for (const upload of [uploads[0], uploads[3], uploads[2]]) await act(async () => upload?.answer());
    await waitFor(() => expect(server.sent).toHaveLength(1));
    const ids = ['1.png', '2.png', '3.png', '4.png'].map((name) =>
      uploads.find((upload) => upload.file?.name === name)?.url.replace('/api/files/', ''),
    );
    expect(server.sent[0]?.file_ids).toEqual(ids);
  });

  it('are listed, and one is removed', async () => {
    const { uploads } = openJob();
    await choose(photo('leak.png'), photo('valve.png'));
    await act(async () => uploads.forEach((upload) => upload.answer()));
    expect(pending()).toHaveLength(2);
    await press('Remove leak.png');
    expect(pending().map((row) => row.textContent)).toEqual([expect.stringContaining('valve.png')]);
  });

  it('under way are cancelled without a message', async () => {
    const { uploads } = openJob();
    await choose(photo('leak.png'));
    await press('Cancel upload of leak.png');
    expect(uploads[0]?.isAborted).toBe(true);
    expect(pending()).toEqual([]);
    expect(sendButton().disabled).toBe(true);
    expect(toastTexts()).toEqual([]);
  });

  it('whose upload is cut off stay, and go again under the same id', async () => {
    const { uploads } = openJob();
    await choose(photo('leak.png'));
    await act(async () => uploads[0]?.fail());
    await waitForToasts('Failed to upload files');
    expect(pending()[0]?.textContent).toContain('Unable to connect to the server.');
    await press('Retry leak.png');
    expect(uploads[1]?.url).toBe(uploads[0]?.url);
    await act(async () => uploads[1]?.answer());
    expect(pending()[0]?.textContent).toContain('Uploaded');
  });

  it('that fail after Comment was pressed keep the comment, with Retry', async () => {
    const { server, uploads } = openJob();
    await choose(photo('leak.png'));
    typeInto('Comment', 'See photo');
    await press('Comment');
    await act(async () => uploads[0]?.fail());
    expect((await section()).getAllByRole('alert').map((alert) => alert.textContent)).toContain('Failed to upload files');
    expect(server.sent).toEqual([]);
    await press('Retry');
    await act(async () => uploads[1]?.answer());
    await waitFor(() => expect(server.sent.map(({ content }) => content)).toEqual(['See photo']));
  });

  it('that the server refuses say why, and can only be removed', async () => {
    const { uploads } = openJob();
    await choose(photo('run.png'));
    await act(async () =>
      uploads[0]?.answer(415, { defined: true, code: 'UNSUPPORTED_FILE', status: 415, message: 'File type must be .png, .jpg' }),
    );
    expect(pending()[0]?.textContent).toContain('File type must be .png, .jpg');
    expect(screen.queryByRole('button', { name: 'Retry run.png' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove run.png' })).toBeDefined();
  });

  it.each([
    ['run.exe', 5, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
    ['logo.svg', 5, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
    ['film.png', 30 * 1024 * 1024, 'File is larger than 26214400 bytes (25.0 MB)'],
    ['empty.png', 0, 'File is smaller than 1 bytes'],
  ])('such as %s are not taken', async (name, size, problem) => {
    const { uploads } = openJob();
    await choose(sized(name, size));
    expect(screen.getByRole('alert').textContent).toBe(`${name}: ${problem}`);
    expect([uploads, pending()]).toEqual([[], []]);
    await press('Dismiss');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('beyond twenty are too many', async () => {
    openJob();
    await choose(...Array.from({ length: 21 }, (_, index) => photo(`${index}.png`)));
    expect(pending()).toHaveLength(20);
    expect(screen.getByText('Too many files')).toBeDefined();
  });

  it('are pasted, unless there is text too', async () => {
    openJob();
    const area = await composer();
    const paste = (types: string[]) => {
      const event = createEvent.paste(area, { clipboardData: { files: [photo('image.png')], types } });
      return act(async () => fireEvent(area, event));
    };
    await paste(['text/plain', 'Files']);
    expect(pending()).toHaveLength(0);
    await paste(['Files']);
    expect(pending()).toHaveLength(1);
  });
});

describe('the drop zone', () => {
  const transfer = (type: string) => ({ types: ['Files'], items: [{ kind: 'file', type }], files: [photo('dropped.png')] });

  it('looks different while files are dragged, may be dropped, or may not', async () => {
    openJob();
    const zone = (await composer()).closest<HTMLElement>('[data-drop]');
    if (!zone) throw new Error('There is no drop zone');
    const looks = new Set<string>();
    const expectState = (state: string) => {
      expect(zone.dataset['drop']).toBe(state);
      looks.add(zone.className);
    };
    expectState('idle');
    fireEvent.dragEnter(document.body, { dataTransfer: transfer('image/png') });
    expectState('dragging');
    fireEvent.dragEnter(zone, { dataTransfer: transfer('image/png') });
    expectState('accepted');
    fireEvent.dragLeave(zone, { dataTransfer: transfer('image/png') });
    fireEvent.dragEnter(zone, { dataTransfer: transfer('application/x-msdownload') });
    expectState('rejected');
    expect(screen.getByText(/^File type must be \.png/)).toBeDefined();
    expect(looks.size).toBe(4);
    expect(zone.className).not.toContain('focus-within');
    await act(async () => fireEvent.drop(zone, { dataTransfer: transfer('image/png') }));
    expectState('idle');
    expect(zone.className).toContain('focus-within');
    expect(pending()).toHaveLength(1);
  });
});

describe('the viewer', () => {
  const openPhotos = async () => {
    openJob([comment({ attachments: [file('a'), PLAN, file('b')] }), comment({ id: 'comment-2', attachments: [file('c')] })]);
    const thumbnail = await screen.findByRole('button', { name: 'Open b.jpg' });
    thumbnail.focus();
    await act(async () => fireEvent.click(thumbnail));
    return { thumbnail, dialog: await screen.findByRole('dialog', { name: 'b.jpg' }) };
  };
  const shown = () => within(screen.getByRole('dialog')).getByRole<HTMLImageElement>('img', { name: /jpg$/ });

  it('goes through all pictures of the job with the arrow keys, and gives the focus back', async () => {
    const { thumbnail, dialog } = await openPhotos();
    expect(dialog.textContent).toContain('Sam Leota · Jan 5, 2025 9:05 AM');
    expect(dialog.textContent).toContain('2 / 3');
    expect(within(dialog).getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('/api/files/b');
    fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    await waitFor(() => expect(shown().getAttribute('src')).toBe('/api/files/c'));
    fireEvent.keyDown(dialog, { key: 'ArrowRight' });
    fireEvent.keyDown(dialog, { key: 'Home' });
    await waitFor(() => expect(shown().getAttribute('src')).toBe('/api/files/a'));
    await press('Next photo');
    await act(async () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(thumbnail));
  });

  it('goes on by a swipe', async () => {
    await openPhotos();
    const picture = shown();
    fireEvent.pointerDown(picture, { clientX: 300, clientY: 200, isPrimary: true });
    fireEvent.pointerUp(picture, { clientX: 120, clientY: 210, isPrimary: true });
    await waitFor(() => expect(shown().getAttribute('src')).toBe('/api/files/c'));
  });

  it('says when a picture cannot be loaded, and loads it again', async () => {
    await openPhotos();
    expect(screen.getByText('Loading...')).toBeDefined();
    fireEvent.error(shown());
    await screen.findByText("Couldn't load this photo. Check your connection and try again.");
    await press('Retry');
    fireEvent.load(shown());
    await press('Zoom in');
    await screen.findByRole('button', { name: 'Zoom to fit' });
  });
});

describe('on a phone', () => {
  it('only what is new shows, and a photo is added without opening it', async () => {
    window.happyDOM.setViewport({ width: 390 });
    const { server, uploads } = openJob([
      comment({ attachments: ['a', 'b', 'c', 'd', 'e'].map((id) => file(id)) }),
      comment({ id: 'comment-2', content: 'New cylinder in' }),
    ]);
    await screen.findByText('2 comments · 5 photos');
    expect(screen.queryByText('The valve leaks')).toBeNull();
    expect(within(screen.getByRole('list', { name: 'Latest photos' })).getAllByRole('button')).toHaveLength(4);
    expect(screen.getByRole('button', { name: 'Sam Leota New cylinder in' })).toBeDefined();
    const camera = document.querySelector<HTMLInputElement>('input[capture="environment"]');
    if (!camera) throw new Error('There is no camera');
    expect([camera.multiple, camera.accept]).toEqual([true, 'image/png,image/jpeg,image/gif']);
    Object.defineProperty(camera, 'files', { value: [photo('image.png')] });
    await act(async () => fireEvent.change(camera));
    await act(async () => uploads[0]?.answer());
    await press('Comment');
    await waitFor(() => expect(server.sent).toHaveLength(1));
    await screen.findByText('3 comments · 6 photos');
    expect(screen.queryByLabelText('Comment')).toBeNull();
    await press('Show comments');
    await screen.findByText('The valve leaks');
    await composer();
  });
});
