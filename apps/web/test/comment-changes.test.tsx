import type { JobComment, JobCommentChange } from '@callout/contract/comments';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_USER, JOB, PROFILE } from './fixtures.ts';
import { buildAttachment, buildComment, findCommentsSection, openJobComments } from './open-comments.ts';
import { failWith, getValue, type MockApi, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const OWN = buildComment({ author: { staff_id: ADMIN_USER.user.staff_id, name: 'Tane Plumbing', avatar_url: null, hex_code: null } });
const UPDATE_CALL = `PUT /comments/${OWN.id}`;

async function chooseAction(name: string): Promise<void> {
  const item = await screen.findByRole('menuitem', { name });
  await act(async () => fireEvent.click(item));
}

afterEach(() => window.happyDOM.setViewport({ width: 1024 }));

async function openEditor(responses: MockApi, comments: JobComment[] = [OWN]) {
  const page = openJobComments(comments, responses);
  await pressButton('Actions for your comment');
  await chooseAction('Edit');
  await screen.findByLabelText('Edit comment');
  return page;
}

describe('a comment that I wrote', () => {
  it('can be edited in place and is then marked as edited', async () => {
    const sent: JobCommentChange[] = [];
    const { server } = await openEditor({
      [UPDATE_CALL]: (input) => {
        const change = input as JobCommentChange;
        sent.push(change);
        const saved = { ...OWN, content: change.content, version: 2, edited_at: '2025-01-04T21:00:00.000Z' };
        server.comments = [saved];
        return saved;
      },
    });
    expect(getValue('Edit comment')).toBe('The valve leaks');
    typeInto('Edit comment', 'The valve leaked');
    await pressButton('Save');
    expect(await screen.findByText('The valve leaked')).toBeDefined();
    expect(screen.getByText(/edited/).title).toBe('Jan 5, 2025 10:00 AM');
    expect(sent).toEqual([{ version: 1, content: 'The valve leaked' }]);
    expect(screen.queryByLabelText('Edit comment')).toBeNull();
  });

  it('keeps the typed text if saving fails', async () => {
    await openEditor({
      [UPDATE_CALL]: () =>
        failWith('INVALID_INPUT', 'Please check your input', { fields: { content: 'Please write something or add a file' } }),
    });
    typeInto('Edit comment', 'The valve leaked');
    await pressButton('Save');
    await screen.findByText('Failed to edit comment: Please write something or add a file');
    expect(getValue('Edit comment')).toBe('The valve leaked');
  });

  it('asks to save again if it was changed on another device', async () => {
    const versions: number[] = [];
    const { server } = await openEditor({
      [UPDATE_CALL]: (input) => {
        const { version, content } = input as JobCommentChange;
        versions.push(version);
        const current = { ...OWN, content: 'From the phone', version: 2 };
        if (version === 1) return failWith('STALE_VERSION', 'Someone else has changed this record.', { current });
        server.comments = [{ ...current, content, version: 3 }];
        return server.comments[0];
      },
    });
    typeInto('Edit comment', 'From the office');
    await pressButton('Save');
    await screen.findByText('You have changed this comment on another device. Saving again replaces that text.');
    await pressButton('Save');
    await screen.findByText('From the office');
    await waitFor(() => expect(versions).toEqual([1, 2]));
  });

  it('is shown as edited while the change waits, and is sent once the server can be reached', async () => {
    const sent: string[] = [];
    const { server, queryClient } = await openEditor({
      [UPDATE_CALL]: (input) => {
        const { content } = input as JobCommentChange;
        sent.push(content);
        if (sent.length === 1) throw new TypeError('Failed to fetch');
        server.comments = [{ ...OWN, content, version: 2, edited_at: '2025-01-04T21:00:00.000Z' }];
        return server.comments[0];
      },
    });
    typeInto('Edit comment', 'The valve leaked');
    await pressButton('Save');
    await screen.findByText(/edited, not sent yet/);
    expect(screen.queryByLabelText('Edit comment')).toBeNull();
    screen.getByText('The valve leaked');
    await act(() => queryClient.refetchQueries({ queryKey: ['jobs'] }));
    await waitFor(() => expect(screen.getByText(/edited/).textContent).not.toContain('not sent yet'));
    expect(sent).toEqual(['The valve leaked', 'The valve leaked']);
  });

  it('closes the editor with Escape without saving', async () => {
    await openEditor({});
    typeInto('Edit comment', 'Never mind');
    await act(async () => fireEvent.keyDown(screen.getByLabelText('Edit comment'), { key: 'Escape' }));
    expect(screen.getByText('The valve leaks')).toBeDefined();
  });

  it('can be deleted after a question that mentions its files, which moves the focus to the heading', async () => {
    const { server } = openJobComments([{ ...OWN, attachments: [buildAttachment('leak')] }], {
      [`DELETE /comments/${OWN.id}`]: () => {
        server.comments = [];
        return {};
      },
    });
    await pressButton('Actions for your comment');
    await chooseAction('Delete');
    await screen.findByText("Its files will also be deleted. The job's history keeps the text and the file names.");
    await pressButton('Delete');
    await screen.findByText('Comment deleted');
    expect(await screen.findByText('No comments yet')).toBeDefined();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Comments' })));
  });
});

describe('the typed text of a comment that is being edited', () => {
  const TYPED = 'The valve leaked';
  const refetchComments = ({ queryClient }: ReturnType<typeof openJobComments>) =>
    act(() => queryClient.refetchQueries({ queryKey: ['comments'] }));

  it('stays in place when a new comment pushes its comment out of the latest ones', async () => {
    const others = Array.from({ length: 29 }, (_, index) => buildComment({ id: `other-${index}`, content: `Text ${index}` }));
    const page = await openEditor({}, [OWN, ...others]);
    typeInto('Edit comment', TYPED);
    page.server.comments = [...page.server.comments, buildComment({ id: 'new-1' }), buildComment({ id: 'new-2', content: 'On my way' })];
    await refetchComments(page);
    await screen.findByText('On my way');
    expect(getValue('Edit comment')).toBe(TYPED);
    expect(document.activeElement).toBe(screen.getByLabelText('Edit comment'));
    screen.getByRole('button', { name: 'Show 1 earlier comment' });
  });

  it('stays in place when the list is collapsed on a phone', async () => {
    window.happyDOM.setViewport({ width: 390 });
    openJobComments([buildComment({ id: 'other', content: 'On my way' }), OWN]);
    await pressButton('Show comments');
    await pressButton('Actions for your comment');
    await chooseAction('Edit');
    typeInto('Edit comment', TYPED);
    await pressButton('Hide comments');
    await screen.findByRole('button', { name: 'Show comments' });
    expect(screen.queryByText('On my way')).toBeNull();
    expect(getValue('Edit comment')).toBe(TYPED);
  });

  it('moves to the new comment, before newer text, if the comment is deleted', async () => {
    const page = await openEditor({});
    typeInto('Comment', 'Call Ana');
    typeInto('Edit comment', TYPED);
    page.server.comments = [];
    await refetchComments(page);
    await waitForToasts('The comment you were editing was deleted. Your text is now in the box for a new comment.');
    expect(getValue('Comment')).toBe(`${TYPED}\nCall Ana`);
    expect(document.activeElement).toBe(screen.getByLabelText('Comment'));
  });

  it('moves to the new comment if saving finds that the comment is deleted', async () => {
    const { server } = await openEditor({
      [UPDATE_CALL]: () => {
        server.comments = [];
        return failWith('NOT_FOUND', 'Comment not found');
      },
    });
    typeInto('Edit comment', TYPED);
    await pressButton('Save');
    await waitFor(() => expect(getValue('Comment')).toBe(TYPED));
  });

  it('is not copied to the new comment if nothing was changed before the comment was deleted', async () => {
    const page = await openEditor({});
    page.server.comments = [];
    await refetchComments(page);
    await screen.findByText('No comments yet');
    expect(getValue('Comment')).toBe('');
  });

  it('is kept when it is typed while an earlier text is being saved', async () => {
    const response = Promise.withResolvers<JobComment>();
    await openEditor({ [UPDATE_CALL]: () => response.promise });
    typeInto('Edit comment', TYPED);
    await pressButton('Save');
    typeInto('Edit comment', `${TYPED} again`);
    await act(async () => response.resolve({ ...OWN, content: TYPED, version: 2 }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBeNull());
    expect(getValue('Edit comment')).toBe(`${TYPED} again`);
  });

  it('is left only after a question, and is still there on return and after a reload', async () => {
    const { router, queryClient } = await openEditor({});
    typeInto('Edit comment', TYPED);
    act(() => router.history.push('/no-such-page'));
    await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
    await pressButton('Keep editing');
    expect(getValue('Edit comment')).toBe(TYPED);
    act(() => router.history.push('/no-such-page'));
    await pressButton('Leave');
    await waitFor(() => expect(screen.queryByLabelText('Edit comment')).toBeNull());
    act(() => router.history.push(`/jobs/${JOB.id}`));
    await screen.findByLabelText('Edit comment');
    expect(getValue('Edit comment')).toBe(TYPED);
    queryClient.clear();
    document.body.replaceChildren();
    openJobComments([OWN]);
    await screen.findByLabelText('Edit comment');
    expect(getValue('Edit comment')).toBe(TYPED);
  });

  it('is discarded with Cancel', async () => {
    await openEditor({});
    typeInto('Edit comment', TYPED);
    await pressButton('Cancel');
    expect(screen.getByText('The valve leaks')).toBeDefined();
    expect(Object.keys(sessionStorage)).toEqual([]);
  });
});

describe('a colleague’s comment', () => {
  it('can be deleted, but not edited, by someone who may edit jobs', async () => {
    openJobComments([buildComment()]);
    await pressButton("Actions for Sam Leota's comment");
    await screen.findByRole('menuitem', { name: 'Delete' });
    expect(screen.queryByRole('menuitem', { name: 'Edit' })).toBeNull();
  });

  it('has no actions for other people', async () => {
    openJobComments([buildComment()], { 'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' } }) });
    const view = await findCommentsSection();
    await view.findByText('The valve leaks');
    expect(view.queryByRole('button', { name: /^Actions for/ })).toBeNull();
  });
});
