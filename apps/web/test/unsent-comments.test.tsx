import type { NewJobComment } from '@callout/contract/comments';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { JOB } from './fixtures.ts';
import {
  buildComment,
  chooseFiles,
  createPhoto,
  findCommentField,
  findCommentsSection,
  LIST_COMMENTS_CALL,
  openJobComments,
} from './open-comments.ts';
import { failWith, getToasts, getValue, pressButton, typeInto } from './open-page.tsx';

const failToConnect = (): never => {
  throw new TypeError('Failed to fetch');
};

async function sendFailingComment(text: string): Promise<void> {
  await findCommentField();
  typeInto('Comment', text);
  await pressButton('Comment');
  await screen.findByRole('button', { name: 'Retry' });
}

/** Simulates a server that stores each comment but loses the response. */
function openWithLostResponse() {
  const reads = { respond: (): unknown => failToConnect() };
  const page = openJobComments([], {
    [LIST_COMMENTS_CALL]: () => reads.respond(),
    'POST /comments': (input) => {
      const { id, content } = input as NewJobComment;
      page.server.sent.push(input as NewJobComment);
      page.server.comments = [...page.server.comments.filter((other) => other.id !== id), buildComment({ id, content })];
      reads.respond = failToConnect;
      return failToConnect();
    },
  });
  reads.respond = () => ({ rows: page.server.comments });
  return { ...page, reads };
}

describe('editing a comment whose response was lost', () => {
  it('finds the comment on the server and leaves nothing to send again', async () => {
    const { server, reads } = openWithLostResponse();
    await sendFailingComment('Ceiling is dry');
    reads.respond = () => ({ rows: server.comments });
    await pressButton('Edit');
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(getValue('Comment')).toBe('');
    expect(screen.getAllByText('Ceiling is dry')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(server.sent).toHaveLength(1);
  });

  it('fails while offline, because the comment may already be stored', async () => {
    openWithLostResponse();
    await sendFailingComment('Ceiling is dry');
    await pressButton('Edit');
    expect((await findCommentsSection()).getByRole('alert').textContent).toMatch(/^Failed to edit comment: .*connection/);
    expect(getValue('Comment')).toBe('');
    screen.getByText('Ceiling is dry');
  });
});

it('editing a comment that was never stored moves it back into the composer', async () => {
  const { server } = openJobComments([], { 'POST /comments': failToConnect });
  await sendFailingComment('Ceiling is dry');
  await pressButton('Edit');
  await waitFor(() => expect(getValue('Comment')).toBe('Ceiling is dry'));
  expect(server.comments).toEqual([]);
});

describe('without a connection', () => {
  const SENT_LATER_MESSAGE = "It will be sent when you're back online.";
  const findLastAlertText = async () => (await findCommentsSection()).getAllByRole('alert').at(-1)?.textContent;

  it('a comment says only that it will be sent later, not that it failed', async () => {
    openJobComments([], { 'POST /comments': failToConnect });
    await sendFailingComment('Ceiling is dry');
    expect(await findLastAlertText()).toBe(SENT_LATER_MESSAGE);
    expect(getToasts()).toEqual([]);
  });

  it('a comment whose files were not uploaded says that it will be sent later', async () => {
    const { uploads } = openJobComments();
    await findCommentField();
    await chooseFiles('input[aria-label="Choose files"]', createPhoto('leak.png'));
    await pressButton('Comment');
    await act(async () => uploads[0]?.fail());
    expect(await findLastAlertText()).toBe(SENT_LATER_MESSAGE);
    expect(getToasts()).toEqual([]);
  });
});

const reconnect = () => act(async () => void window.dispatchEvent(new Event('online')));

describe('after reconnecting', () => {
  it('a comment is retried under the same id and stored once, even from another page', async () => {
    const sent: NewJobComment[] = [];
    const connection = { isBack: false };
    const { server, router } = openJobComments([], {
      'POST /comments': (input) => {
        const { id, content } = input as NewJobComment;
        sent.push(input as NewJobComment);
        if (!connection.isBack) return failToConnect();
        server.comments = [buildComment({ id, content })];
        return server.comments[0];
      },
    });
    await sendFailingComment('Ceiling is dry');
    await reconnect();
    expect(sent).toHaveLength(2);
    await screen.findByRole('button', { name: 'Retry' });
    act(() => router.history.push('/no-such-page'));
    connection.isBack = true;
    await reconnect();
    await reconnect();
    await waitFor(() => expect(server.comments).toHaveLength(1));
    expect(sent.map(({ id }) => id)).toEqual(Array.from({ length: 3 }, () => sent[0]?.id));
  });

  it('a comment is retried when another request succeeds, even without an online event', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const connection = { isBack: false };
    const { server, queryClient } = openJobComments([], {
      'POST /comments': (input) => {
        const { id, content } = input as NewJobComment;
        server.sent.push(input as NewJobComment);
        if (!connection.isBack) return failToConnect();
        server.comments = [buildComment({ id, content })];
        return server.comments[0];
      },
    });
    const refetchAnything = () => act(() => queryClient.refetchQueries({ queryKey: ['jobs'] }));
    await sendFailingComment('Ceiling is dry');
    await refetchAnything();
    expect(server.sent, 'an immediate retry would only fail again').toHaveLength(1);
    connection.isBack = true;
    vi.setSystemTime(Date.now() + 15_000);
    await refetchAnything();
    await waitFor(() => expect(server.comments).toHaveLength(1));
    expect(server.sent.map(({ id }) => id)).toEqual([server.sent[0]?.id, server.sent[0]?.id]);
  });

  it('a failed comment is sent after a reload', async () => {
    const first = openJobComments([], { 'POST /comments': failToConnect });
    await sendFailingComment('Ceiling is dry');
    first.queryClient.clear();
    document.body.replaceChildren();
    const { server } = openJobComments();
    await waitFor(() => expect(server.sent.map(({ content }) => content)).toEqual(['Ceiling is dry']));
  });

  it('files resume uploading, and their comment is sent', async () => {
    const { server, uploads } = openJobComments();
    await findCommentField();
    await chooseFiles('input[aria-label="Choose files"]', createPhoto('leak.png'));
    await pressButton('Comment');
    await act(async () => uploads[0]?.fail());
    await reconnect();
    expect(uploads[1]?.url).toBe(uploads[0]?.url);
    await act(async () => uploads[1]?.respond());
    await waitFor(() => expect(server.sent).toHaveLength(1));
  });

  it('files of a comment still being written resume uploading', async () => {
    const { server, uploads } = openJobComments();
    await findCommentField();
    await chooseFiles('input[aria-label="Choose files"]', createPhoto('leak.png'));
    await act(async () => uploads[0]?.fail());
    await reconnect();
    expect(uploads).toHaveLength(2);
    expect(server.sent).toEqual([]);
  });

  it('a comment that the server rejected is not retried automatically', async () => {
    const sent: unknown[] = [];
    openJobComments([], {
      'POST /comments': (input) => {
        sent.push(input);
        failWith('INVALID_INPUT', 'A file is missing. Please add it again.');
      },
    });
    await sendFailingComment('First');
    await reconnect();
    expect(sent).toHaveLength(1);
  });
});

describe('an unsent comment after the session ends', () => {
  /** Records what is sent, because the server attributes each comment to the person signed in at that time. */
  function openWithUnreachableServer() {
    const sent: string[] = [];
    const server = { isReachable: false };
    const page = openJobComments([], {
      'POST /comments': (input) => {
        const { id, content } = input as NewJobComment;
        if (!server.isReachable) return failToConnect();
        sent.push(content);
        return buildComment({ id, content });
      },
    });
    return { ...page, sent, makeReachable: () => void (server.isReachable = true) };
  }

  it.each(['expired', 'replaced'] as const)('is not sent until its author signs in again (session %s)', async (reason) => {
    const { router, sent, makeReachable } = openWithUnreachableServer();
    await sendFailingComment('Ceiling is dry');
    act(() => announceSessionEnd(reason));
    act(() => router.history.push('/no-such-page'));
    makeReachable();
    await reconnect();
    expect(sent).toEqual([]);
    act(() => router.history.push(`/jobs/${JOB.id}`));
    await waitFor(() => expect(sent).toEqual(['Ceiling is dry']));
  });

  it('is deleted if its author signed out', async () => {
    const { router, sent, makeReachable } = openWithUnreachableServer();
    await sendFailingComment('Ceiling is dry');
    act(() => announceSessionEnd('signed-out'));
    makeReachable();
    await reconnect();
    act(() => router.history.push('/no-such-page'));
    act(() => router.history.push(`/jobs/${JOB.id}`));
    await findCommentField();
    expect([sent, Object.keys(sessionStorage)]).toEqual([[], []]);
  });
});
