import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, typeInto, valueOf, waitForFocus } from './open-page.tsx';
import { EDIT, openEditor, section } from './open-quote-editor.ts';
import { QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './people.ts';

const OPTION = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Option', items: [] };
const searchField = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Add an item/ });
const TWO = { ...QUOTE, sections: [{ ...QUOTE_SECTION, name: 'Base' }, OPTION] };

async function openTwo(quote: typeof QUOTE = TWO) {
  const page = openEditor(EDIT, { 'GET /quotes/{id}': () => quote });
  await screen.findByLabelText('Title');
  return page;
}

it.each([
  ['without GST after a line without it', [{ ...QUOTE_ITEM, tax_inclusive: false }], false],
  ['with GST after a line with it', [QUOTE_ITEM], true],
  ['with GST as the first line', [], true],
])('a custom item starts %s', async (_, items, expected) => {
  const { server } = await openTwo({ ...QUOTE, sections: [{ ...QUOTE_SECTION, items }] });
  fireEvent.change(searchField(), { target: { value: 'unobtainium' } });
  await act(async () => fireEvent.keyDown(searchField(), { key: 'Enter' }));
  await screen.findByLabelText('Unit price of unobtainium');
  typeInto('Unit price of unobtainium', '10');
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toHaveLength(1));
  expect(server.updated[0]?.sections[0]?.items.at(-1)).toMatchObject({ name: 'unobtainium', tax_inclusive: expected });
});

describe('what is typed but not added', () => {
  it('stops a save at the search, also in a section that is closed', async () => {
    const { server } = await openTwo();
    fireEvent.change(searchField(), { target: { value: 'unobtainium' } });
    await press('Collapse Base');
    await press('Save Changes');
    await screen.findByText('Add or clear “unobtainium” first');
    await waitFor(() => expect(document.activeElement).toBe(searchField()));
    expect([searchField().value, server.updated]).toEqual(['unobtainium', []]);
    await act(async () => fireEvent.keyDown(searchField(), { key: 'Escape' }));
    expect(screen.queryByText('Add or clear “unobtainium” first')).toBeNull();
    await press('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
  });

  it('stops a save at the name of a new section', async () => {
    const { server } = await openTwo();
    typeInto('New section', 'Rails');
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Attachments' })));
    await press('Save Changes');
    await screen.findByText('Add or clear “Rails” first');
    await waitForFocus('New section');
    expect([valueOf('New section'), server.updated]).toEqual(['Rails', []]);
    await press('Add Section');
    await press('Save Changes');
    await waitFor(() => expect(server.updated[0]?.sections.map(({ name }) => name)).toEqual(['Base', 'Option', 'Rails']));
  });

  it('goes along to the section that is chosen next', async () => {
    await openTwo();
    fireEvent.change(searchField(), { target: { value: 'pipe' } });
    await act(async () => fireEvent.click(section('Option').getByRole('button', { name: 'Add an item to Option' })));
    expect(searchField().value).toBe('pipe');
    await act(async () => fireEvent.keyDown(searchField(), { key: 'Enter' }));
    await section('Option').findByText('Copper pipe 15 mm');
  });
});

describe('a section', () => {
  it('whose name or description is wrong is opened, says so, and has the focus', async () => {
    const { server } = await openTwo({ ...TWO, sections: [QUOTE_SECTION, { ...OPTION, description: 'x'.repeat(2001) }] });
    typeInto('Title', 'Other');
    await press('Collapse Option');
    await press('Save Changes');
    const field = await screen.findByLabelText('Description of Option');
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(section('Option').getByText(/^Description .*2.?000 characters/)).toBeDefined();
    expect(server.updated).toEqual([]);
  });

  it('that an item is moved to by the menu has the focus on that item', async () => {
    await openTwo();
    await press(`Actions for ${QUOTE_ITEM.name}`);
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to Option' }));
    await section('Option').findByText(QUOTE_ITEM.name);
    await waitFor(() =>
      expect(document.activeElement).toBe(section('Option').getByRole('button', { name: `Actions for ${QUOTE_ITEM.name}` })),
    );
  });
});

describe('what the customer gets of a section', () => {
  it('is said to be optional only where there is another one', async () => {
    await openTwo();
    expect(section('Option').getByText('Optional for the customer')).toBeDefined();
    await press('Actions for section Option');
    await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove section' })));
    expect(section('Base').getByText('Always included')).toBeDefined();
    expect(screen.queryByText('Optional for the customer')).toBeNull();
  });
});

describe('a number that cannot be saved', () => {
  const NAME = QUOTE_ITEM.name;

  async function leave(label: string, value: string) {
    const field = screen.getByLabelText(label);
    fireEvent.change(field, { target: { value } });
    await act(async () => fireEvent.blur(field));
  }

  it.each([
    [`Unit price of ${NAME}`, 'abc', 'Unit price must be 0 or more, with up to 2 decimal places', '12.50'],
    [`Quantity of ${NAME}`, '0', 'Quantity must be at least 1', '2'],
  ])('%s says so when it is left, until it is right', async (label, wrong, message, right) => {
    await openTwo();
    fireEvent.change(screen.getByLabelText(label), { target: { value: wrong } });
    expect(screen.queryByText(message)).toBeNull();
    await leave(label, wrong);
    expect(await screen.findByText(message)).toBeDefined();
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
    fireEvent.change(screen.getByLabelText(label), { target: { value: right } });
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
  });

  it('says nothing about a price that is still to be typed', async () => {
    await openTwo();
    fireEvent.change(searchField(), { target: { value: 'unobtainium' } });
    await act(async () => fireEvent.keyDown(searchField(), { key: 'Enter' }));
    await screen.findByLabelText('Unit price of unobtainium');
    await leave(`Quantity of ${NAME}`, '3');
    expect(document.querySelector('[aria-invalid=true]')).toBeNull();
  });
});
