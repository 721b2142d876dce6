import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER } from './fixtures.ts';
import { buildComment, findCommentField, findCommentsSection, openJobComments } from './open-comments.ts';
import { getValue, pressButton } from './open-page.tsx';

const NINA = { id: '018f0000-0000-7000-8000-000000000001', name: 'Nina Patel', hex_code: null, avatar_url: null };
const NOAH = { id: '018f0000-0000-7000-8000-000000000002', name: 'Noah Park', hex_code: null, avatar_url: null };
const ME = { ...NINA, id: ADMIN_USER.user.staff_id ?? '', name: 'Nadia' };
const STAFF_NAMES = { 'GET /staff-names': () => ({ rows: [ME, NINA, NOAH] }) };

/** Types at the end of the field, as a person would. */
async function typeComment(text: string): Promise<HTMLTextAreaElement> {
  const field = (await findCommentField()) as HTMLTextAreaElement;
  await act(async () => fireEvent.change(field, { target: { value: text } }));
  field.setSelectionRange(text.length, text.length);
  await act(async () => fireEvent.input(field));
  return field;
}

const listSuggestions = async () =>
  within(await screen.findByRole('listbox', { name: 'People to mention' }))
    .getAllByRole('option')
    .map((option) => option.textContent);
const pressKey = (field: HTMLElement, key: string) => act(async () => fireEvent.keyDown(field, { key }));

describe('typing @ in a comment', () => {
  it('offers colleagues and sends the picked person’s id', async () => {
    const { server } = openJobComments([], STAFF_NAMES);
    const field = await typeComment('Ask @n');
    expect((await listSuggestions()).join()).toMatch(/Nina Patel.*Noah Park/);
    await pressKey(field, 'ArrowDown');
    await pressKey(field, 'ArrowUp');
    await pressKey(field, 'Enter');
    expect(getValue('Comment')).toBe('Ask @Nina Patel ');
    expect(screen.queryByRole('listbox')).toBeNull();
    await pressButton('Comment');
    await waitFor(() => expect(server.sent.map(({ content }) => content)).toEqual([`Ask @[${NINA.id}]`]));
  });

  it('picks with a click and closes with Escape', async () => {
    openJobComments([], STAFF_NAMES);
    await typeComment('@par');
    const option = await screen.findByRole('option', { name: /Noah Park/ });
    await act(async () => fireEvent.click(option));
    expect(getValue('Comment')).toBe('@Noah Park ');
    const field = await typeComment('@Noah Park @n');
    await screen.findByRole('listbox');
    await pressKey(field, 'Escape');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(getValue('Comment')).toBe('@Noah Park @n');
  });

  it('offers nothing in an email address', async () => {
    openJobComments([], STAFF_NAMES);
    await typeComment('nina@n');
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});

it('a mention shows the person’s current name as plain text', async () => {
  const mentions = [{ staff_id: NINA.id, name: '<b>Nina</b>' }];
  openJobComments([buildComment({ content: `Hi @[${NINA.id}], see https://example.com/a`, mentions })]);
  const view = await findCommentsSection();
  const mention = await view.findByText('@<b>Nina</b>');
  expect(mention.parentElement?.textContent).toBe('Hi @<b>Nina</b>, see https://example.com/a');
  expect(view.getByRole('link', { name: 'https://example.com/a' })).toBeDefined();
});

it('editing a comment shows names and keeps its mentions', async () => {
  const author = { staff_id: ADMIN_USER.user.staff_id, name: 'Mia', avatar_url: null, hex_code: null };
  const own = buildComment({ author, content: `@[${NINA.id}] call`, mentions: [{ staff_id: NINA.id, name: 'Nina Patel' }] });
  const sent: unknown[] = [];
  openJobComments([own], {
    ...STAFF_NAMES,
    [`PUT /comments/${own.id}`]: (input) => {
      sent.push(input);
      return { ...own, version: 2 };
    },
  });
  await pressButton('Actions for your comment');
  const item = await screen.findByRole('menuitem', { name: 'Edit' });
  await act(async () => fireEvent.click(item));
  expect(getValue('Edit comment')).toBe('@Nina Patel call');
  await act(async () => fireEvent.change(screen.getByLabelText('Edit comment'), { target: { value: '@Nina Patel call today' } }));
  await pressButton('Save');
  await waitFor(() => expect(sent).toEqual([{ version: 1, content: `@[${NINA.id}] call today` }]));
});
