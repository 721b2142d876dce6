import type { NewJobComment } from '@callout/contract/comments';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { addComment } from '../src/features/comments/comments.api.ts';
import { JOB } from './fixtures.ts';
import { buildComment, chooseFiles, createPhoto, findCommentField, findCommentsSection, openJobComments } from './open-comments.ts';
import { failWith, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const AUTHOR = buildComment().author;
const getSendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Comment' });
const createFileOfSize = (name: string, size: number) => Object.defineProperty(createPhoto(name), 'size', { value: size });
const queryPendingFiles = () =>
  screen.queryAllByRole('list', { name: 'Files to send' }).flatMap((list) => within(list).getAllByRole('listitem'));

async function chooseCommentFiles(...files: File[]): Promise<void> {
  await findCommentField();
  await chooseFiles('input[aria-label="Choose files"]', ...files);
}

describe('a new comment', () => {
  it('needs text or a file', async () => {
    openJobComments();
    await findCommentField();
    typeInto('Comment', '  \n ');
    expect(getSendButton().disabled).toBe(true);
    typeInto('Comment', 'Done');
    expect(getSendButton().disabled).toBe(false);
    typeInto('Comment', '');
    await chooseCommentFiles(createPhoto());
    expect(getSendButton().disabled).toBe(false);
  });

  it('appears immediately as Sending…, and is stored once', async () => {
    let respond: () => void = () => undefined;
    const { server } = openJobComments([], {
      'POST /comments': (input) =>
        new Promise((resolve) => {
          respond = () => {
            const { id, content } = input as NewJobComment;
            server.comments = [buildComment({ id, content })];
            resolve(server.comments[0]);
          };
        }),
    });
    await findCommentField();
    typeInto('Comment', ' New cylinder in ');
    await act(async () => fireEvent.keyDown(screen.getByLabelText('Comment'), { key: 'Enter', ctrlKey: true }));
    expect(screen.getByText('Sending…')).toBeDefined();
    expect(screen.getByText('New cylinder in')).toBeDefined();
    expect(getValue('Comment')).toBe('');
    await act(async () => respond());
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(screen.queryByText('Sending…')).toBeNull();
    expect(screen.getAllByText('New cylinder in')).toHaveLength(1);
  });

  it('keeps its text when the server refuses it, shows why, and can be sent again under the same id', async () => {
    const sent: NewJobComment[] = [];
    const { server } = openJobComments([], {
      'POST /comments': (input) => {
        sent.push(input as NewJobComment);
        if (sent.length === 1) failWith('LIMIT_REACHED', 'A job can have at most 1,000 comments.');
        const { id, content } = input as NewJobComment;
        server.comments = [buildComment({ id, content })];
        return server.comments[0];
      },
    });
    await findCommentField();
    typeInto('Comment', 'Ceiling is dry');
    await pressButton('Comment');
    expect(document.activeElement).toBe(screen.getByLabelText('Comment'));
    await waitForToasts('Failed to add comment: A job can have at most 1,000 comments.');
    expect((await findCommentsSection()).getByRole('alert').textContent).toBe('A job can have at most 1,000 comments.');
    await pressButton('Retry');
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(sent[0]?.id).toBe(sent[1]?.id);
    expect(screen.getAllByText('Ceiling is dry')).toHaveLength(1);
  });

  it('can be edited after it was refused, and its text is put before newer text', async () => {
    openJobComments([], { 'POST /comments': () => failWith('INVALID_INPUT', 'A file is missing. Please add it again.') });
    await findCommentField();
    typeInto('Comment', 'First');
    await pressButton('Comment');
    await screen.findByRole('button', { name: 'Retry' });
    typeInto('Comment', 'Second');
    await pressButton('Edit');
    await waitFor(() => expect(getValue('Comment')).toBe('First\nSecond'));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull());
  });

  it('keeps its text and is not sent if the text is too long', async () => {
    const { server } = openJobComments();
    await findCommentField();
    typeInto('Comment', 'x'.repeat(100_000));
    expect(screen.getByText('Comment must be at most 10,000 characters')).toBeDefined();
    expect(getSendButton().disabled).toBe(true);
    fireEvent.keyDown(screen.getByLabelText('Comment'), { key: 'Enter', metaKey: true });
    expect(server.sent).toEqual([]);
    expect(getValue('Comment')).toHaveLength(100_000);
  });

  it('survives navigation', async () => {
    const { router } = openJobComments();
    await findCommentField();
    typeInto('Comment', 'Half a sent');
    await chooseCommentFiles(createPhoto('leak.png'), createPhoto('valve.png'));
    act(() => router.history.push('/no-such-page'));
    await act(() => router.navigate({ to: '/jobs/$id', params: { id: JOB.id } }));
    await findCommentField();
    expect(getValue('Comment')).toBe('Half a sent');
    expect(queryPendingFiles()).toHaveLength(2);
  });

  it('triggers a warning when the tab is closed before it is posted', async () => {
    const isWarnedOnClose = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    openJobComments();
    await findCommentField();
    expect(isWarnedOnClose()).toBe(false);
    typeInto('Comment', 'Ceiling is dry');
    expect(isWarnedOnClose()).toBe(true);
    await pressButton('Comment');
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(isWarnedOnClose()).toBe(false);
  });

  it('gets its own id in a duplicated tab', async () => {
    const { server, queryClient } = openJobComments();
    await findCommentField();
    typeInto('Comment', 'Half a sent');
    const copiedStorage = Object.entries<string>(sessionStorage);
    await pressButton('Comment');
    await waitFor(() => expect(server.sent).toHaveLength(1));
    queryClient.clear();
    document.body.replaceChildren();
    for (const [key, value] of copiedStorage) sessionStorage.setItem(key, value);
    const duplicatedTab = openJobComments(server.comments);
    await waitFor(async () => expect((await findCommentField()).textContent).toBe('Half a sent'));
    typeInto('Comment', 'Half a sentence');
    await pressButton('Comment');
    await waitFor(() => expect(duplicatedTab.server.sent).toHaveLength(1));
    expect(duplicatedTab.server.sent[0]?.id).not.toBe(server.sent[0]?.id);
  });

  it('appears without a reload when a colleague adds it', async () => {
    const { server, queryClient } = openJobComments();
    await screen.findByText('No comments yet');
    server.comments = [buildComment()];
    // Simulates live-updates.ts, which invalidates comment queries when the server reports a change.
    await act(() => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'comments' }));
    expect(await screen.findByText('The valve leaks')).toBeDefined();
  });
});

describe('files of a new comment', () => {
  it('are uploaded once the comment is posted, two at a time, and sent in their original order', async () => {
    const { server, uploads } = openJobComments();
    await chooseCommentFiles(createPhoto('1.png'), createPhoto('2.png'), createPhoto('3.png'));
    expect(uploads).toEqual([]);
    await pressButton('Comment');
    await waitFor(() => expect(uploads.map((upload) => upload.file?.name)).toEqual(['1.png', '2.png']));
    screen.getByText('Sending…');
    await act(async () => uploads[1]?.respond());
    await waitFor(() => expect(uploads).toHaveLength(3));
    await act(async () => uploads[2]?.respond());
    expect(server.sent).toEqual([]);
    await act(async () => uploads[0]?.respond());
    await waitFor(() => expect(server.sent).toHaveLength(1));
    const ids = ['1.png', '2.png', '3.png'].map((name) =>
      uploads.find((upload) => upload.file?.name === name)?.url.replace('/api/files/', ''),
    );
    expect(server.sent[0]?.file_ids).toEqual(ids);
  });

  it('are listed and can be removed', async () => {
    openJobComments();
    await chooseCommentFiles(createPhoto('leak.png'), createPhoto('valve.png'));
    expect(queryPendingFiles()).toHaveLength(2);
    await pressButton('Remove leak.png');
    expect(queryPendingFiles().map((row) => row.textContent)).toEqual([expect.stringContaining('valve.png')]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add files' }));
  });

  it.each([
    ['run.exe', 5, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
    ['logo.svg', 5, 'File type must be .png, .jpg, .jpeg, .gif, .pdf, .doc, .docx'],
    ['film.png', 30 * 1024 * 1024, 'File is larger than 26214400 bytes (25.0 MB)'],
    ['empty.png', 0, 'File is smaller than 1 bytes'],
  ])('are rejected for a wrong type or size: %s', async (name, size, problem) => {
    const { uploads } = openJobComments();
    await chooseCommentFiles(createFileOfSize(name, size));
    expect(screen.getByRole('alert').textContent).toBe(`${name}: ${problem}`);
    expect([uploads, queryPendingFiles()]).toEqual([[], []]);
    await pressButton('Dismiss');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('are limited to twenty per comment', async () => {
    openJobComments();
    await chooseCommentFiles(...Array.from({ length: 21 }, (_, index) => createPhoto(`${index}.png`)));
    expect(queryPendingFiles()).toHaveLength(20);
    expect(screen.getByText('Too many files')).toBeDefined();
  });

  it('can be pasted, unless the clipboard also holds text', async () => {
    openJobComments();
    const area = await findCommentField();
    const paste = (types: string[]) => {
      const event = createEvent.paste(area, { clipboardData: { files: [createPhoto('image.png')], types } });
      return act(async () => fireEvent(area, event));
    };
    await paste(['text/plain', 'Files']);
    expect(queryPendingFiles()).toHaveLength(0);
    await paste(['Files']);
    expect(queryPendingFiles()).toHaveLength(1);
  });
});

describe('the drop zone', () => {
  const createDataTransfer = (type: string) => ({ types: ['Files'], items: [{ kind: 'file', type }], files: [createPhoto('dropped.png')] });

  it('looks different while files are dragged, can be dropped, or are rejected', async () => {
    openJobComments();
    const zone = (await findCommentField()).closest<HTMLElement>('[data-drop]');
    if (!zone) throw new Error('No drop zone found');
    const looks = new Set<string>();
    const expectState = (state: string) => {
      expect(zone.dataset['drop']).toBe(state);
      looks.add(zone.className);
    };
    expectState('idle');
    fireEvent.dragEnter(document.body, { dataTransfer: createDataTransfer('image/png') });
    expectState('dragging');
    fireEvent.dragEnter(zone, { dataTransfer: createDataTransfer('image/png') });
    expectState('accepted');
    fireEvent.dragLeave(zone, { dataTransfer: createDataTransfer('image/png') });
    fireEvent.dragEnter(zone, { dataTransfer: createDataTransfer('application/x-msdownload') });
    expectState('rejected');
    expect(screen.getByText(/^File type must be \.png/)).toBeDefined();
    expect(looks.size).toBe(4);
    expect(zone.className).not.toContain('focus-within');
    await act(async () => fireEvent.drop(zone, { dataTransfer: createDataTransfer('image/png') }));
    expectState('idle');
    expect(zone.className).toContain('focus-within');
    expect(queryPendingFiles()).toHaveLength(1);
  });
});

it.each([
  ['a job', AUTHOR, ''],
  ['a user', undefined, 'job-1'],
])('a comment without %s is not sent', (_, author, id) => {
  const post = { job: { ...JOB, id }, comment: { id: 'comment-1', content: 'Hello', mentions: [] }, author, files: [] };
  expect(() => addComment.toInput?.(post)).toThrow('No authenticated user or job ID');
});
