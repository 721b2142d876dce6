import type { NewJobComment } from '@callout/contract/comments';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { announceSessionEnd } from '../src/lib/session-end.ts';
import { COMMENTS, chooseIn, comment, composer, openComments, photo, section } from './open-comments.ts';
import { press, refuse, typeInto, valueOf } from './open-page.tsx';
import { JOB } from './people.ts';

const cutOff = (): never => {
  throw new TypeError('Failed to fetch');
};

async function send(text: string): Promise<void> {
  await composer();
  typeInto('Comment', text);
  await press('Comment');
  await screen.findByRole('button', { name: 'Retry' });
}

/** A server that the comments reach, while its answers do not arrive. */
function openWithLostAnswer() {
  const reads = { answer: (): unknown => cutOff() };
  const page = openComments([], {
    [COMMENTS]: () => reads.answer(),
    'POST /comments': (input) => {
      const { id, content } = input as NewJobComment;
      page.server.sent.push(input as NewJobComment);
      page.server.comments = [...page.server.comments.filter((other) => other.id !== id), comment({ id, content })];
      reads.answer = cutOff;
      return cutOff();
    },
  });
  reads.answer = () => ({ rows: page.server.comments });
  return { ...page, reads };
}

describe('Edit of a comment whose answer was lost', () => {
  it('finds that the server has it, and leaves nothing to send twice', async () => {
    const { server, reads } = openWithLostAnswer();
    await send('Ceiling is dry');
    reads.answer = () => ({ rows: server.comments });
    await press('Edit');
    await screen.findByText('Jan 5, 2025 9:05 AM');
    expect(valueOf('Comment')).toBe('');
    expect(screen.getAllByText('Ceiling is dry')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(server.sent).toHaveLength(1);
  });

  it('waits for the connection: until then nobody knows whether it is stored', async () => {
    openWithLostAnswer();
    await send('Ceiling is dry');
    await press('Edit');
    expect((await section()).getByRole('alert').textContent).toMatch(/^Failed to edit comment: .*connection/);
    expect(valueOf('Comment')).toBe('');
    screen.getByText('Ceiling is dry');
  });
});

it('Edit of a comment that did not arrive takes it back', async () => {
  const { server } = openComments([], { 'POST /comments': cutOff });
  await send('Ceiling is dry');
  await press('Edit');
  await waitFor(() => expect(valueOf('Comment')).toBe('Ceiling is dry'));
  expect(server.comments).toEqual([]);
});

describe('without a connection', () => {
  const LATER = 'It will be sent when you are back online.';
  const problem = async () => (await section()).getAllByRole('alert').at(-1)?.textContent;

  it('a comment says that it will be sent by itself', async () => {
    openComments([], { 'POST /comments': cutOff });
    await send('Ceiling is dry');
    expect(await problem()).toBe(LATER);
  });

  it('so does one whose files did not arrive', async () => {
    const { uploads } = openComments();
    await composer();
    await chooseIn('input[aria-label="Choose files"]', photo('leak.png'));
    await press('Comment');
    await act(async () => uploads[0]?.fail());
    expect(await problem()).toBe(LATER);
  });
});

const reconnect = () => act(async () => void window.dispatchEvent(new Event('online')));

describe('with the connection back', () => {
  it('a comment is sent again by itself, once and under its id, also from another page', async () => {
    const sent: NewJobComment[] = [];
    const connection = { isBack: false };
    const { server, router } = openComments([], {
      'POST /comments': (input) => {
        const { id, content } = input as NewJobComment;
        sent.push(input as NewJobComment);
        if (!connection.isBack) return cutOff();
        server.comments = [comment({ id, content })];
        return server.comments[0];
      },
    });
    await send('Ceiling is dry');
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

  it('a comment is also sent when the browser has not noticed, once the server answers anything', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const connection = { isBack: false };
    const { server, queryClient } = openComments([], {
      'POST /comments': (input) => {
        const { id, content } = input as NewJobComment;
        server.sent.push(input as NewJobComment);
        if (!connection.isBack) return cutOff();
        server.comments = [comment({ id, content })];
        return server.comments[0];
      },
    });
    const readAnything = () => act(() => queryClient.refetchQueries({ queryKey: ['jobs'] }));
    await send('Ceiling is dry');
    await readAnything();
    expect(server.sent, 'at once it would only fail again').toHaveLength(1);
    connection.isBack = true;
    vi.setSystemTime(Date.now() + 15_000);
    await readAnything();
    await waitFor(() => expect(server.comments).toHaveLength(1));
    expect(server.sent.map(({ id }) => id)).toEqual([server.sent[0]?.id, server.sent[0]?.id]);
  });

  it('a comment that had failed is sent after a reload', async () => {
    const first = openComments([], { 'POST /comments': cutOff });
    await send('Ceiling is dry');
    first.queryClient.clear();
    document.body.replaceChildren();
    const { server } = openComments();
    await waitFor(() => expect(server.sent.map(({ content }) => content)).toEqual(['Ceiling is dry']));
  });

  it('files go on, and take their comment along', async () => {
    const { server, uploads } = openComments();
    await composer();
    await chooseIn('input[aria-label="Choose files"]', photo('leak.png'));
    await press('Comment');
    await act(async () => uploads[0]?.fail());
    await reconnect();
    expect(uploads[1]?.url).toBe(uploads[0]?.url);
    await act(async () => uploads[1]?.answer());
    await waitFor(() => expect(server.sent).toHaveLength(1));
  });

  it('files of a comment that is still being written go on, too', async () => {
    const { server, uploads } = openComments();
    await composer();
    await chooseIn('input[aria-label="Choose files"]', photo('leak.png'));
    await act(async () => uploads[0]?.fail());
    await reconnect();
    expect(uploads).toHaveLength(2);
    expect(server.sent).toEqual([]);
  });

  it('what the server has refused waits for a person', async () => {
    const sent: unknown[] = [];
    openComments([], {
      'POST /comments': (input) => {
        sent.push(input);
        refuse('INVALID_INPUT', 'A file is no longer there. Please add it again.');
      },
    });
    await send('First');
    await reconnect();
    expect(sent).toHaveLength(1);
  });
});

describe('a comment that waits when the session ends', () => {
  /** What was sent, and by whom: the server would take it for whoever is signed in. */
  function openWaiting() {
    const sent: string[] = [];
    const server = { isReachable: false };
    const page = openComments([], {
      'POST /comments': (input) => {
        const { id, content } = input as NewJobComment;
        if (!server.isReachable) return cutOff();
        sent.push(content);
        return comment({ id, content });
      },
    });
    return { ...page, sent, reach: () => void (server.isReachable = true) };
  }

  it.each(['expired', 'replaced'] as const)('(%s) is not sent before its person is back', async (how) => {
    const { router, sent, reach } = openWaiting();
    await send('Ceiling is dry');
    act(() => announceSessionEnd(how));
    act(() => router.history.push('/no-such-page'));
    reach();
    await reconnect();
    expect(sent).toEqual([]);
    act(() => router.history.push(`/jobs/${JOB.id}`));
    await waitFor(() => expect(sent).toEqual(['Ceiling is dry']));
  });

  it('is gone when its person has signed out', async () => {
    const { router, sent, reach } = openWaiting();
    await send('Ceiling is dry');
    act(() => announceSessionEnd('signed-out'));
    reach();
    await reconnect();
    act(() => router.history.push('/no-such-page'));
    act(() => router.history.push(`/jobs/${JOB.id}`));
    await composer();
    expect([sent, Object.keys(sessionStorage)]).toEqual([[], []]);
  });
});
