import type { NewJobComment } from '@callout/contract/comments';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { addComment } from '../src/features/comments/comments.api.ts';
import { meQuery } from '../src/features/company/company.api.ts';
import { createQueryClient } from '../src/lib/query-client.ts';
import { chooseIn, comment, composer, openComments, photo, section } from './open-comments.ts';
import { press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { JOB, OWNER } from './people.ts';

const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Comment' });
const sized = (name: string, size: number) => Object.defineProperty(photo(name), 'size', { value: size });
const pending = () => screen.queryAllByRole('list', { name: 'Files to send' }).flatMap((list) => within(list).getAllByRole('listitem'));

async function choose(...files: File[]): Promise<void> {
  await composer();
  await chooseIn('input[aria-label="Choose files"]', ...files);
}

describe('a new comment', () => {
  it('needs text or a file', async () => {
    openComments();
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
    const { server } = openComments([], {
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
    const { server } = openComments([], {
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
    expect(document.activeElement).toBe(screen.getByLabelText('Comment'));
    await waitForToasts('Failed to add comment: The server is restarting');
    expect((await section()).getByRole('alert').textContent).toBe('Failed to add comment: The server is restarting');
    await press('Retry');
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(sent[0]?.id).toBe(sent[1]?.id);
    expect(screen.getAllByText('Ceiling is dry')).toHaveLength(1);
  });

  it('whose answer was lost is not shown twice once the server has it', async () => {
    const { server } = openComments([], {
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
    openComments([], { 'POST /comments': () => refuse('INVALID_INPUT', 'A file is no longer there. Please add it again.') });
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
    const { server } = openComments();
    await composer();
    typeInto('Comment', 'x'.repeat(100_000));
    expect(screen.getByText('Comment must be at most 10,000 characters')).toBeDefined();
    expect(sendButton().disabled).toBe(true);
    fireEvent.keyDown(screen.getByLabelText('Comment'), { key: 'Enter', metaKey: true });
    expect(server.sent).toEqual([]);
    expect(valueOf('Comment')).toHaveLength(100_000);
  });

  it('survives leaving the page, and a reload with the files that had arrived', async () => {
    const { router, uploads, queryClient } = openComments();
    await composer();
    typeInto('Comment', 'Half a sent');
    await choose(photo('leak.png'), photo('valve.png'));
    await act(async () => uploads[0]?.answer());
    act(() => router.history.push('/no-such-page'));
    await act(() => router.navigate({ to: '/jobs/$id', params: { id: JOB.id } }));
    await composer();
    expect(valueOf('Comment')).toBe('Half a sent');
    expect(pending()).toHaveLength(2);
    queryClient.clear();
    document.body.replaceChildren();
    openComments();
    await composer();
    expect(valueOf('Comment')).toBe('Half a sent');
    expect(pending().map((row) => row.textContent)).toEqual([
      expect.stringContaining('Uploaded'),
      expect.stringContaining('The upload was interrupted. Please add the file again.'),
    ]);
  });

  it('that was not sent is asked about before the tab is closed', async () => {
    const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    openComments([], { 'POST /comments': () => refuse('UNAVAILABLE', 'The server is restarting') });
    await composer();
    expect(asks()).toBe(false);
    typeInto('Comment', 'Ceiling is dry');
    expect(asks()).toBe(true);
    await press('Comment');
    await press('Edit');
    typeInto('Comment', '');
    expect(asks()).toBe(false);
  });

  it('in a duplicated tab is a comment of its own', async () => {
    const { server, queryClient } = openComments();
    await composer();
    typeInto('Comment', 'Half a sent');
    const copied = Object.entries<string>(sessionStorage);
    await press('Comment');
    await waitFor(() => expect(server.sent).toHaveLength(1));
    queryClient.clear();
    document.body.replaceChildren();
    for (const [key, value] of copied) sessionStorage.setItem(key, value);
    const tab = openComments(server.comments);
    await waitFor(async () => expect((await composer()).textContent).toBe('Half a sent'));
    typeInto('Comment', 'Half a sentence');
    await press('Comment');
    await waitFor(() => expect(tab.server.sent).toHaveLength(1));
    expect(tab.server.sent[0]?.id).not.toBe(server.sent[0]?.id);
  });

  it('of a colleague appears by itself', async () => {
    const { server, queryClient } = openComments();
    await screen.findByText('No comments yet');
    server.comments = [comment()];
    // What lib/live.ts does when the server says that comments have changed.
    await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'comments' }));
    expect(await screen.findByText('The valve leaks')).toBeDefined();
  });
});

describe('files', () => {
  it('are uploaded as soon as they are chosen, three at a time, and sent in their order', async () => {
    const { server, uploads } = openComments();
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
    const { uploads } = openComments();
    await choose(photo('leak.png'), photo('valve.png'));
    await act(async () => uploads.forEach((upload) => upload.answer()));
    expect(pending()).toHaveLength(2);
    await press('Remove leak.png');
    expect(pending().map((row) => row.textContent)).toEqual([expect.stringContaining('valve.png')]);
  });

  it('under way are cancelled without a message', async () => {
    const { uploads } = openComments();
    await choose(photo('leak.png'));
    await press('Cancel upload of leak.png');
    expect(uploads[0]?.isAborted).toBe(true);
    expect(pending()).toEqual([]);
    expect(sendButton().disabled).toBe(true);
    expect(toastTexts()).toEqual([]);
  });

  it('whose upload is cut off stay, and go again under the same id', async () => {
    const { uploads } = openComments();
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
    const { server, uploads } = openComments();
    await choose(photo('leak.png'));
    typeInto('Comment', 'See photo');
    await press('Comment');
    await act(async () => uploads[0]?.fail());
    await waitForToasts('Failed to upload files');
    expect(server.sent).toEqual([]);
    await press('Retry');
    await act(async () => uploads[1]?.answer());
    await waitFor(() => expect(server.sent.map(({ content }) => content)).toEqual(['See photo']));
  });

  it('cancelled after Comment was pressed are left out, and the comment is sent without them', async () => {
    const { server, uploads } = openComments();
    await choose(photo('leak.png'), photo('huge.png'));
    typeInto('Comment', 'See photo');
    await press('Comment');
    await act(async () => uploads[0]?.answer());
    await press('Cancel upload of huge.png');
    await waitFor(() => expect(server.sent.map(({ content, file_ids }) => [content, file_ids.length])).toEqual([['See photo', 1]]));
    expect(screen.queryByText('Sending…')).toBeNull();
  });

  it('that were all of a comment take it with them when they are cancelled', async () => {
    const { server } = openComments();
    await choose(photo('huge.png'));
    await press('Comment');
    await press('Cancel upload of huge.png');
    await screen.findByText('No comments yet');
    expect(server.sent).toEqual([]);
  });

  it('tried again one by one send their comment, too', async () => {
    const { server, uploads } = openComments();
    await choose(photo('leak.png'));
    await press('Comment');
    await act(async () => uploads[0]?.fail());
    await press('Retry leak.png');
    await act(async () => uploads[1]?.answer());
    await waitFor(() => expect(server.sent).toHaveLength(1));
  });

  it('that the server refuses say why, and can only be removed', async () => {
    const { uploads } = openComments();
    await choose(photo('run.png'));
    await act(async () =>
      uploads[0]?.answer(415, { defined: true, code: 'UNSUPPORTED_FILE', status: 415, message: 'File type must be .png, .jpg' }),
    );
    expect(pending()[0]?.textContent).toContain('File type must be .png, .jpg');
    expect(screen.queryByRole('button', { name: 'Retry run.png' })).toBeNull();
    expect(screen.getByText('Remove the files that could not be uploaded')).toBeDefined();
    expect(sendButton().disabled).toBe(true);
    await press('Remove run.png');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add files' }));
    expect(screen.queryByText('Remove the files that could not be uploaded')).toBeNull();
  });

  it.each([
    ['run.exe', 5, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
    ['logo.svg', 5, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
    ['film.png', 30 * 1024 * 1024, 'File is larger than 26214400 bytes (25.0 MB)'],
    ['empty.png', 0, 'File is smaller than 1 bytes'],
  ])('such as %s are not taken', async (name, size, problem) => {
    const { uploads } = openComments();
    await choose(sized(name, size));
    expect(screen.getByRole('alert').textContent).toBe(`${name}: ${problem}`);
    expect([uploads, pending()]).toEqual([[], []]);
    await press('Dismiss');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('beyond twenty are too many', async () => {
    openComments();
    await choose(...Array.from({ length: 21 }, (_, index) => photo(`${index}.png`)));
    expect(pending()).toHaveLength(20);
    expect(screen.getByText('Too many files')).toBeDefined();
  });

  it('are pasted, unless there is text too', async () => {
    openComments();
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
    openComments();
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

it.each([
  ['a job', OWNER, ''],
  ['a user', undefined, 'job-1'],
])('a comment without %s is not sent', async (_, me, job_id) => {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  const queryClient = createQueryClient();
  if (me) queryClient.setQueryData(meQuery.queryKey, me);
  const adding = addComment(queryClient, { id: 'comment-1', job_id, content: 'Hello', file_ids: [] });
  await expect(adding).rejects.toThrow('No authenticated user or job ID');
  expect(fetch).not.toHaveBeenCalled();
});
