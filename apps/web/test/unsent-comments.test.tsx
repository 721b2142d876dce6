import type { JobComment, JobCommentChange, NewJobComment } from '@callout/contract/comments';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deleteCommandStorage } from '../src/lib/commands/command-storage.ts';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { ADMIN_USER, JOB } from './fixtures.ts';
import { stubIndexedDb } from './indexed-db.ts';
import { mockUploads } from './mock-upload.ts';
import { buildComment, chooseFiles, createPhoto, findCommentField, findCommentsSection, LIST_COMMENTS_CALL } from './open-comments.ts';
import { failWith, getToasts, getValue, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const SAVED_TOAST = "Saved on this device. It will be sent when you're back online.";
const JOB_PATH = `/jobs/${JOB.id}`;

const createServer = () => ({
  isReachable: false,
  canList: true,
  comments: [buildComment()],
  sent: [] as NewJobComment[],
  changes: [] as JobCommentChange[],
  refusal: undefined as string | undefined,
  /** The comment that another device has changed. */
  current: undefined as JobComment | undefined,
});
let server: ReturnType<typeof createServer>;

beforeEach(() => {
  stubIndexedDb();
  server = createServer();
});
afterEach(async () => {
  cleanup();
  await deleteCommandStorage();
});

const requireConnection = () => {
  if (!server.isReachable) throw new TypeError('Failed to fetch');
};

/** Opens a page on a mock server that takes no changes at first. Opened again, it is the same browser after a reload. */
function openApp(path = JOB_PATH, me = ADMIN_USER) {
  cleanup();
  const uploads = mockUploads();
  const changeComment = (input: unknown) => {
    requireConnection();
    const change = input as JobCommentChange;
    if (server.current) failWith('STALE_VERSION', 'Someone else has changed this record.', { current: server.current });
    server.changes.push(change);
    const changed = buildComment({ ...server.comments.at(-1), content: change.content, version: change.version + 1 });
    server.comments = [...server.comments.slice(0, -1), changed];
    return changed;
  };
  const page = openPage(path, {
    'GET /me': () => me,
    [`GET ${JOB_PATH}`]: () => JOB,
    [LIST_COMMENTS_CALL]: () => {
      if (!server.canList) failWith('FORBIDDEN');
      return { rows: server.comments };
    },
    'POST /comments': (input) => {
      requireConnection();
      if (server.refusal) failWith('LIMIT_REACHED', server.refusal);
      const { id, content } = input as NewJobComment;
      server.sent.push(input as NewJobComment);
      const added = buildComment({ id, content });
      server.comments = [...server.comments.filter((other) => other.id !== id), added];
      return added;
    },
    'PUT /comments/{id}': changeComment,
    'PUT /comments/comment-1': changeComment,
  });
  const reconnect = () => {
    server.isReachable = true;
    return act(() => page.queryClient.refetchQueries({ queryKey: ['timer'] }));
  };
  return { ...page, uploads, reconnect };
}

async function addPhoto(): Promise<void> {
  await findCommentField();
  await chooseFiles('input[aria-label="Choose files"]', createPhoto('leak.png'));
}

async function post(text: string): Promise<void> {
  await findCommentField();
  typeInto('Comment', text);
  await pressButton('Comment');
  await waitFor(() => expect(getValue('Comment')).toBe(''));
}

async function chooseAction(name: string): Promise<void> {
  await pressButton('Actions for your comment');
  const item = await screen.findByRole('menuitem', { name });
  await act(async () => fireEvent.click(item));
}

const openUnsentPage = async () => {
  const page = openApp('/unsent');
  await screen.findByRole('heading', { name: 'Unsent changes' });
  return page;
};
const listUnsent = () =>
  screen.getAllByRole('listitem').flatMap((row) =>
    within(row)
      .queryAllByRole('link', { name: /#/ })
      .map(({ textContent }) => textContent),
  );

describe('a comment with a photo that is posted without a connection', () => {
  async function postOffline() {
    const page = openApp();
    await addPhoto();
    await post('New cylinder in');
    await waitFor(() => expect(page.uploads).toHaveLength(1));
    await act(async () => page.uploads[0]?.fail());
    await waitForToasts(SAVED_TOAST);
    return page;
  }
  const findWaitingPhoto = async () => {
    const view = await findCommentsSection();
    await view.findByText('Not sent yet');
    view.getByText('New cylinder in');
    const photo = view.getByRole('button', { name: 'Open leak.png' });
    await waitFor(() => expect(photo.querySelector('img')).not.toBeNull());
    return photo.querySelector('img')?.src;
  };

  it('is shown at once with its photo, and after a reload', async () => {
    await postOffline();
    expect(await findWaitingPhoto()).toMatch(/^blob:/);
    openApp();
    expect(await findWaitingPhoto()).toMatch(/^blob:/);
  });

  it('is shown even if the other comments cannot be loaded', async () => {
    server.canList = false;
    await postOffline();
    await (await findCommentsSection()).findByRole('button', { name: 'Retry' });
    expect(await findWaitingPhoto()).toMatch(/^blob:/);
  });

  it('is sent once after the page was closed, without opening the job', async () => {
    await postOffline();
    server.isReachable = true;
    const { uploads } = openApp('/todo');
    await waitFor(() => expect(uploads).toHaveLength(1));
    expect([uploads[0]?.file?.name, uploads[0]?.file?.type, await uploads[0]?.file?.text()]).toEqual(['leak.png', 'image/png', 'bytes']);
    expect(server.sent).toEqual([]);
    await act(async () => uploads[0]?.respond());
    await waitFor(() => expect(server.sent.map(({ content }) => content)).toEqual(['New cylinder in']));
    expect(server.sent[0]?.file_ids.map((id) => `/api/files/${id}`)).toEqual([uploads[0]?.url]);
    openApp();
    await screen.findByText('New cylinder in');
    expect(screen.getAllByText('New cylinder in')).toHaveLength(1);
    expect(screen.queryByText('Not sent yet')).toBeNull();
    expect(server.sent).toHaveLength(1);
  });

  it('is listed among the unsent changes with its photo, and discarded together with it', async () => {
    await postOffline();
    const { uploads } = await openUnsentPage();
    await waitFor(() =>
      expect(listUnsent()).toEqual([
        `Photo for comment on #${JOB.job_number}: New cylinder in`,
        `Comment on #${JOB.job_number}: New cylinder in`,
      ]),
    );
    await waitFor(() => expect(screen.getByRole('link', { name: 'leak.png' }).getAttribute('href')).toMatch(/^blob:/));
    await pressButton('Discard');
    await screen.findByText('Everything has been sent');
    expect(server.sent).toEqual([]);
    expect(uploads.every(({ responseText }) => responseText === '')).toBe(true);
  });

  it('is neither shown nor sent when somebody else signs in, and is sent when its author is back', async () => {
    await postOffline();
    act(() => announceSessionEnd('replaced'));
    server.isReachable = true;
    const other = openApp(JOB_PATH, { ...ADMIN_USER, user: { ...ADMIN_USER.user, id: 'someone-else' } });
    await screen.findByText('The valve leaks');
    expect(screen.queryByText('New cylinder in')).toBeNull();
    expect(other.uploads).toEqual([]);
    const { uploads } = openApp('/todo');
    await waitFor(() => expect(uploads).toHaveLength(1));
  });

  it('can be edited, which is sent after it', async () => {
    const page = await postOffline();
    await chooseAction('Edit');
    await screen.findByLabelText('Edit comment');
    typeInto('Edit comment', 'Old cylinder out');
    await pressButton('Save');
    await screen.findByText('Old cylinder out');
    await page.reconnect();
    await act(async () => page.uploads[1]?.respond());
    await waitFor(() => expect(server.changes).toEqual([{ version: 1, content: 'Old cylinder out' }]));
    expect(server.sent.map(({ content }) => content)).toEqual(['New cylinder in']);
    await waitFor(() => expect(screen.queryByText('Not sent yet')).toBeNull());
    screen.getByText('Old cylinder out');
  });

  it('can be deleted, and is then never sent', async () => {
    const page = await postOffline();
    await chooseAction('Delete');
    await screen.findByText("It hasn't been sent yet.");
    await pressButton('Delete');
    await waitFor(() => expect(screen.queryByText('New cylinder in')).toBeNull());
    // A slow machine may have tried the upload again before that.
    const uploadCount = page.uploads.length;
    await page.reconnect();
    expect(page.uploads).toHaveLength(uploadCount);
    expect(server.sent).toEqual([]);
  });

  it('leaves no object URLs behind', async () => {
    const open = new Set<string>();
    const [create, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      const url = create(blob);
      open.add(url);
      return url;
    });
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => {
      open.delete(url);
      revoke(url);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const page = await postOffline();
    expect(await findWaitingPhoto()).toMatch(/^blob:/);
    expect(open.size).toBe(1);
    await page.reconnect();
    await act(async () => page.uploads[1]?.respond());
    await waitFor(() => expect(screen.queryByText('Not sent yet')).toBeNull());
    expect(open.size).toBe(0);
  });
});

describe('a comment that the server refuses', () => {
  const REASON = 'A job can have at most 1,000 comments.';
  const FILE_REASON = 'File type must be .png, .jpg';

  async function refuseLater() {
    const page = openApp();
    await addPhoto();
    await post('New cylinder in');
    await waitFor(() => expect(page.uploads).toHaveLength(1));
    await act(async () => page.uploads[0]?.respond());
    await waitForToasts(SAVED_TOAST);
    server.refusal = REASON;
    await page.reconnect();
    await (await findCommentsSection()).findByText(REASON);
    return page;
  }

  it('keeps its text and photo, and says why on the page of unsent changes', async () => {
    await refuseLater();
    await openUnsentPage();
    await screen.findByText(REASON);
    expect(listUnsent()).toEqual([`Comment on #${JOB.job_number}: New cylinder in`]);
    await waitFor(() => expect(screen.getByRole('link', { name: 'leak.png' }).getAttribute('href')).toMatch(/^blob:/));
  });

  it('goes back to the composer with its photo, and can be posted again', async () => {
    const page = await refuseLater();
    await pressButton('Edit');
    await waitFor(() => expect(getValue('Comment')).toBe('New cylinder in'));
    await waitFor(() => expect(screen.queryByText(REASON)).toBeNull());
    server.refusal = undefined;
    await pressButton('Comment');
    await waitFor(() => expect(page.uploads).toHaveLength(2));
    expect(page.uploads[1]?.url).not.toBe(page.uploads[0]?.url);
    expect(await page.uploads[1]?.file?.text()).toBe('bytes');
    await act(async () => page.uploads[1]?.respond());
    await waitFor(() => expect(server.sent.map(({ content, file_ids }) => [content, file_ids.length])).toEqual([['New cylinder in', 1]]));
  });

  it('because of one of its files says so, and waits until it is edited', async () => {
    server.isReachable = true;
    const page = openApp();
    await addPhoto();
    await post('New cylinder in');
    await waitFor(() => expect(page.uploads).toHaveLength(1));
    const refusal = { defined: true, code: 'UNSUPPORTED_FILE', status: 415, message: FILE_REASON };
    await act(async () => page.uploads[0]?.respond(415, refusal));
    await waitForToasts(`Failed to upload files: ${FILE_REASON}`);
    expect((await findCommentsSection()).getByRole('alert').textContent).toBe(FILE_REASON);
    expect(server.sent).toEqual([]);
    await pressButton('Edit');
    await pressButton('Remove leak.png');
    await waitFor(() => expect(screen.queryByText(FILE_REASON)).toBeNull());
    await pressButton('Comment');
    await waitFor(() => expect(server.sent.map(({ content, file_ids }) => [content, file_ids])).toEqual([['New cylinder in', []]]));
  });

  it('because of one of its files is listed with the reason, and its upload can be tried again', async () => {
    server.isReachable = true;
    const page = openApp();
    await addPhoto();
    await post('New cylinder in');
    await waitFor(() => expect(page.uploads).toHaveLength(1));
    await act(async () => page.uploads[0]?.respond(413, { defined: true, code: 'TOO_LARGE', status: 413, message: 'Too large' }));
    const { uploads } = await openUnsentPage();
    const refused = within(await screen.findByRole('region', { name: 'Not accepted' }));
    refused.getByText(`Photo for comment on #${JOB.job_number}: New cylinder in`);
    refused.getByText('Too large');
    await act(async () => fireEvent.click(refused.getByRole('button', { name: 'Try again' })));
    await waitFor(() => expect(uploads).toHaveLength(1));
    await act(async () => uploads[0]?.respond());
    await screen.findByText('Everything has been sent');
    expect(server.sent).toHaveLength(1);
  });
});

describe('a refused edit', () => {
  it('says why, and continues with the typed text on top of the newest version', async () => {
    const own = buildComment({ author: { ...buildComment().author, staff_id: ADMIN_USER.user.staff_id } });
    server.comments = [own];
    const page = openApp();
    await chooseAction('Edit');
    await screen.findByLabelText('Edit comment');
    typeInto('Edit comment', 'From the van');
    await pressButton('Save');
    await screen.findByText(/not sent yet/);
    server.current = { ...own, content: 'From the office', version: 2 };
    server.comments = [server.current];
    await act(() => page.queryClient.refetchQueries({ queryKey: ['comments'] }));
    await page.reconnect();
    await screen.findByText('Your change was not accepted: Someone else has changed this record.');
    screen.getByText('From the office');
    await pressButton('Edit');
    await waitFor(() => expect(getValue('Edit comment')).toBe('From the van'));
    server.current = undefined;
    await pressButton('Save');
    await waitFor(() => expect(server.changes).toEqual([{ version: 2, content: 'From the van' }]));
  });
});

it('a draft keeps its text and photo through a reload', async () => {
  openApp();
  await addPhoto();
  typeInto('Comment', 'Half a sent');
  await waitFor(() => expect(screen.getByRole('list', { name: 'Files to send' }).textContent).not.toContain('Preparing'));
  server.isReachable = true;
  const { uploads } = openApp();
  await findCommentField();
  expect(getValue('Comment')).toBe('Half a sent');
  await pressButton('Comment');
  await waitFor(() => expect(uploads).toHaveLength(1));
  expect(await uploads[0]?.file?.text()).toBe('bytes');
});

describe('what an earlier version has kept in this tab', () => {
  const keep = () => {
    const file = { id: 'file-1', name: 'leak.png', size: 5, type: 'image/png', progress: 1, canRetry: true, preview: null };
    const sent = {
      id: '018f0000-0000-7000-8000-000000000009',
      content: 'Ceiling is dry',
      files: [{ ...file, status: 'uploaded' }],
      status: 'sending',
    };
    const draft = { id: 'draft-1', content: 'Half a sent', files: [], status: 'draft' };
    sessionStorage.setItem(`callout-draft ${ADMIN_USER.user.id} ${JOB_PATH} comment`, JSON.stringify({ draft, sent: [sent], edits: {} }));
  };

  it.each(['/todo', JOB_PATH])('is posted once at the start, and keeps what was being written (%s)', async (path) => {
    server.isReachable = true;
    keep();
    openApp(path);
    await waitFor(() =>
      expect(server.sent).toEqual([expect.objectContaining({ job_id: JOB.id, content: 'Ceiling is dry', file_ids: ['file-1'] })]),
    );
    await waitFor(() => expect(Object.keys(sessionStorage).filter((key) => key.endsWith(' comment'))).toEqual([]));
    openApp();
    await findCommentField();
    expect(getValue('Comment')).toBe('Half a sent');
    expect(server.sent).toHaveLength(1);
  });

  it('becomes an unsent change without a connection', async () => {
    keep();
    openApp('/todo');
    await waitFor(() => expect(Object.keys(sessionStorage).filter((key) => key.endsWith(' comment'))).toEqual([]));
    await openUnsentPage();
    await screen.findByText('Comment: Ceiling is dry');
  });
});

it('a browser that stores nothing asks to keep the page open', async () => {
  vi.stubGlobal('indexedDB', undefined);
  openApp();
  await post('New cylinder in');
  await waitForToasts("You're offline. Keep this page open until your change has been sent.");
  (await findCommentsSection()).getByText('Not sent yet. Keep this page open.');
  expect(getToasts()).toHaveLength(1);
  stubIndexedDb();
});
