import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './fixtures.ts';
import { getValue, pressButton, typeInto, waitForFocus } from './open-page.tsx';
import { EDIT_QUOTE_PATH, getQuoteSection, openQuoteEditor } from './open-quote-editor.ts';

const OPTIONAL_SECTION = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Option', items: [] };
const getItemSearch = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Add an item/ });
const TWO_SECTION_QUOTE = { ...QUOTE, sections: [{ ...QUOTE_SECTION, name: 'Base' }, OPTIONAL_SECTION] };

async function openEditor(quote: typeof QUOTE = TWO_SECTION_QUOTE) {
  const page = openQuoteEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => quote });
  await screen.findByLabelText('Title');
  return page;
}

it.each([
  ['excluding GST after a line excluding GST', [{ ...QUOTE_ITEM, tax_inclusive: false }], false],
  ['including GST after a line including GST', [QUOTE_ITEM], true],
  ['including GST as the first line', [], true],
])('a new custom item starts %s', async (_, items, expected) => {
  const { server } = await openEditor({ ...QUOTE, sections: [{ ...QUOTE_SECTION, items }] });
  fireEvent.change(getItemSearch(), { target: { value: 'unobtainium' } });
  await act(async () => fireEvent.keyDown(getItemSearch(), { key: 'Enter' }));
  await screen.findByLabelText('Unit price of unobtainium');
  typeInto('Unit price of unobtainium', '10');
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toHaveLength(1));
  expect(server.updated[0]?.sections[0]?.items.at(-1)).toMatchObject({ name: 'unobtainium', tax_inclusive: expected });
});

describe('text that was entered but not added', () => {
  it('blocks saving and focuses the item search, even in a collapsed section', async () => {
    const { server } = await openEditor();
    fireEvent.change(getItemSearch(), { target: { value: 'unobtainium' } });
    await pressButton('Collapse Base');
    await pressButton('Save Changes');
    await screen.findByText('Add or clear “unobtainium” first');
    await waitFor(() => expect(document.activeElement).toBe(getItemSearch()));
    expect([getItemSearch().value, server.updated]).toEqual(['unobtainium', []]);
    await act(async () => fireEvent.keyDown(getItemSearch(), { key: 'Escape' }));
    expect(screen.queryByText('Add or clear “unobtainium” first')).toBeNull();
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
  });

  it('blocks saving and focuses the field for a new section', async () => {
    const { server } = await openEditor();
    typeInto('New section', 'Rails');
    await act(async () => fireEvent.click(screen.getByRole('tab', { name: 'Attachments' })));
    await pressButton('Save Changes');
    await screen.findByText('Add or clear “Rails” first');
    await waitForFocus('New section');
    expect([getValue('New section'), server.updated]).toEqual(['Rails', []]);
    await pressButton('Add Section');
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated[0]?.sections.map(({ name }) => name)).toEqual(['Base', 'Option', 'Rails']));
  });

  it('stays in the item search when another section is selected', async () => {
    await openEditor();
    fireEvent.change(getItemSearch(), { target: { value: 'pipe' } });
    await act(async () => fireEvent.click(getQuoteSection('Option').getByRole('button', { name: 'Add an item to Option' })));
    expect(getItemSearch().value).toBe('pipe');
    await act(async () => fireEvent.keyDown(getItemSearch(), { key: 'Enter' }));
    await getQuoteSection('Option').findByText('Copper pipe 15 mm');
  });
});

describe('a quote section', () => {
  it('expands and focuses its invalid description when saving fails', async () => {
    const { server } = await openEditor({
      ...TWO_SECTION_QUOTE,
      sections: [QUOTE_SECTION, { ...OPTIONAL_SECTION, description: 'x'.repeat(2001) }],
    });
    typeInto('Title', 'Other');
    await pressButton('Collapse Option');
    await pressButton('Save Changes');
    const field = await screen.findByLabelText('Description of Option');
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(getQuoteSection('Option').getByText(/^Description .*2.?000 characters/)).toBeDefined();
    expect(server.updated).toEqual([]);
  });

  it('focuses an item that was moved into it from the menu', async () => {
    await openEditor();
    await pressButton(`Actions for ${QUOTE_ITEM.name}`);
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to Option' }));
    await getQuoteSection('Option').findByText(QUOTE_ITEM.name);
    await waitFor(() =>
      expect(document.activeElement).toBe(getQuoteSection('Option').getByRole('button', { name: `Actions for ${QUOTE_ITEM.name}` })),
    );
  });
});

describe('the section hint', () => {
  it('calls a section optional for the customer only if the quote has another section', async () => {
    await openEditor();
    expect(getQuoteSection('Option').getByText('Optional for the customer')).toBeDefined();
    await pressButton('Actions for section Option');
    await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove section' })));
    expect(getQuoteSection('Base').getByText('Included as the only section')).toBeDefined();
    expect(screen.queryByText('Optional for the customer')).toBeNull();
  });
});

describe('an invalid price or quantity', () => {
  const ITEM_NAME = QUOTE_ITEM.name;

  async function typeAndBlur(label: string, value: string) {
    const field = screen.getByLabelText(label);
    fireEvent.change(field, { target: { value } });
    await act(async () => fireEvent.blur(field));
  }

  it.each([
    [`Unit price of ${ITEM_NAME}`, 'abc', 'Unit price must be 0 or more, with up to 2 decimal places', '12.50'],
    [`Quantity of ${ITEM_NAME}`, '0', 'Quantity must be at least 1', '2'],
  ])('shows an error on "%s" after focus leaves the field, until the value is valid', async (label, invalidValue, message, validValue) => {
    await openEditor();
    fireEvent.change(screen.getByLabelText(label), { target: { value: invalidValue } });
    expect(screen.queryByText(message)).toBeNull();
    await typeAndBlur(label, invalidValue);
    expect(await screen.findByText(message)).toBeDefined();
    expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
    fireEvent.change(screen.getByLabelText(label), { target: { value: validValue } });
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
  });

  it('is not reported for a price that has not been entered yet', async () => {
    await openEditor();
    fireEvent.change(getItemSearch(), { target: { value: 'unobtainium' } });
    await act(async () => fireEvent.keyDown(getItemSearch(), { key: 'Enter' }));
    await screen.findByLabelText('Unit price of unobtainium');
    await typeAndBlur(`Quantity of ${ITEM_NAME}`, '3');
    expect(document.querySelector('[aria-invalid=true]')).toBeNull();
  });
});
