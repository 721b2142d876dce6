import type { JobComment, JobCommentChange } from '@callout/contract/comments';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, PROFILE } from './fixtures.ts';
import { buildAttachment, buildComment, findCommentsSection, openJobComments } from './open-comments.ts';
import { failWith, getValue, type MockApi, pressButton, typeInto } from './open-page.tsx';

const OWN = buildComment({ author: { staff_id: ADMIN_USER.user.staff_id, name: 'Tane Plumbing', avatar_url: null, hex_code: null } });
const UPDATE_CALL = `PUT /comments/${OWN.id}`;

async function chooseAction(name: string): Promise<void> {
  const item = await screen.findByRole('menuitem', { name });
  await act(async () => fireEvent.click(item));
}

async function openEditor(responses: MockApi, comment: JobComment = OWN) {
  const page = openJobComments([comment], responses);
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
    await openEditor({ [UPDATE_CALL]: () => failWith('INTERNAL', 'Something went wrong on our side.') });
    typeInto('Edit comment', 'The valve leaked');
    await pressButton('Save');
    expect((await screen.findByText(/^Failed to edit comment: /)).textContent).toBeDefined();
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
    expect(versions).toEqual([1, 2]);
  });

  it('counts as saved if an earlier attempt was stored but its response was lost', async () => {
    const { server } = await openEditor({
      [UPDATE_CALL]: (input) => {
        const { version, content } = input as JobCommentChange;
        const [stored = OWN] = server.comments;
        if (version !== stored.version) return failWith('STALE_VERSION', 'Someone else has changed this record.', { current: stored });
        server.comments = [{ ...stored, content, version: 2 }];
        throw new TypeError('Failed to fetch');
      },
    });
    typeInto('Edit comment', 'The valve leaked');
    await pressButton('Save');
    await screen.findByText(/^Failed to edit comment: /);
    await pressButton('Save');
    await waitFor(() => expect(screen.queryByLabelText('Edit comment')).toBeNull());
    expect(screen.getByText('The valve leaked')).toBeDefined();
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
