import type { NewJobComment } from '@callout/contract/comments';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { COMMENTS, comment, composer, openComments, section } from './open-comments.ts';
import { press, typeInto, valueOf } from './open-page.tsx';

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
