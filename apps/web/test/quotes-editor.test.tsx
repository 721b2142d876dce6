import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { CUSTOMER, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './fixtures.ts';
import { failWith, getToasts, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import {
  buildItemSearchResponse,
  EDIT_QUOTE_PATH,
  getQuoteSection,
  LABOR_ITEM,
  NEW_QUOTE_PATH,
  openQuoteEditor,
  PIPE_ITEM,
} from './open-quote-editor.ts';

const getItemSearch = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Add an item/ });
const pressKey = (element: Element, name: string) => act(async () => fireEvent.keyDown(element, { key: name }));

async function addItemByEnter(term: string) {
  fireEvent.change(getItemSearch(), { target: { value: term } });
  await pressKey(getItemSearch(), 'Enter');
}

async function openEditor(path = NEW_QUOTE_PATH, responses = {}) {
  const page = openQuoteEditor(path, responses);
  await screen.findByLabelText('Title');
  return page;
}

describe('a new quote', () => {
  it('starts with one section, two tabs and the customer from the link', async () => {
    await openEditor();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Quote', 'Attachments']);
    expect(screen.getByText('Ana Rossi')).toBeDefined();
    expect(screen.queryByLabelText('Search customers')).toBeNull();
    expect(getQuoteSection('Items & Services').getByText('No items in this section')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Create Quote' })).toBeDefined();
  });

  it('adds the first matching item on Enter, shows a confirmation and keeps the search focused', async () => {
    await openEditor();
    await addItemByEnter('pipe');
    await getQuoteSection('Items & Services').findByText('Copper pipe 15 mm');
    await waitForToasts('Item added to section');
    expect(getItemSearch().value).toBe('');
    expect(document.activeElement).toBe(getItemSearch());
    expect(getQuoteSection('Items & Services').getByText('#CP-15')).toBeDefined();
    expect(getQuoteSection('Items & Services').getByText('inc GST')).toBeDefined();
    expect(getValue('Unit price of Copper pipe 15 mm')).toBe('142.86');
  });

  it('lists matching items with prices and lets the arrow keys select one', async () => {
    await openEditor(NEW_QUOTE_PATH, buildItemSearchResponse('p', PIPE_ITEM, LABOR_ITEM));
    fireEvent.change(getItemSearch(), { target: { value: 'p' } });
    expect([screen.getByRole('status', { name: 'Search' }).textContent, getItemSearch().hasAttribute('aria-activedescendant')]).toEqual([
      'Searching…',
      false,
    ]);
    const options = await within(await screen.findByRole('listbox')).findAllByRole('option');
    expect(getItemSearch().getAttribute('aria-activedescendant')).toBe(options[0]?.id);
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'Copper pipe 15 mm #CP-15 · Harbour Pipesinc GST142.86Enter',
      'Install and commission #SV-1 · Harbour Pipesexc GST105.00',
      'Add “p” as a custom item',
    ]);
    act(() => getItemSearch().focus());
    act(() => screen.getByLabelText('Title').focus());
    expect([screen.queryByRole('listbox'), getItemSearch().value]).toEqual([null, 'p']);
    act(() => getItemSearch().focus());
    await pressKey(getItemSearch(), 'ArrowDown');
    await pressKey(getItemSearch(), 'Enter');
    await getQuoteSection('Items & Services').findByText('Install and commission');
    expect(getQuoteSection('Items & Services').getByText('Service')).toBeDefined();
  });

  it('adds an unknown item as a custom item and focuses its price', async () => {
    const { server } = await openEditor();
    await addItemByEnter('unobtainium');
    await screen.findByLabelText('Unit price of unobtainium');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Unit price of unobtainium')));
    typeInto('Unit price of unobtainium', '$1,250.50');
    await pressKey(screen.getByLabelText('Unit price of unobtainium'), 'Enter');
    expect(document.activeElement).toBe(getItemSearch());
    expect(getValue('Unit price of unobtainium')).toBe('1,250.50');
    typeInto('Title', 'Heat');
    await pressButton('Create Quote');
    await waitFor(() => expect(server.created).toHaveLength(1));
    expect(server.created[0]?.sections[0]?.items).toMatchObject([{ supplier_item_id: null, name: 'unobtainium', unit_price: '1250.50' }]);
  });

  it('is saved with all entered fields and then shown on its own page', async () => {
    const { server, path } = await openEditor();
    typeInto('Title', 'Hot water');
    typeInto(/^Description/, 'Replace the cylinder.');
    typeInto(/^Valid until/, '2026-12-15');
    await addItemByEnter('pipe');
    await screen.findByLabelText('Quantity of Copper pipe 15 mm');
    typeInto('Quantity of Copper pipe 15 mm', '2.5');
    typeInto('New section', 'Options');
    await pressButton('Add Section');
    await addItemByEnter('labor');
    await getQuoteSection('Options').findByText('Install and commission');
    fireEvent.click(screen.getByLabelText('Items & Services is required'));
    await pressButton('Create Quote');
    await waitFor(() => expect(getToasts()).toContain('Quote created successfully'));
    const [quote] = server.created;
    expect(quote).toMatchObject({
      customer_id: CUSTOMER.id,
      title: 'Hot water',
      description: 'Replace the cylinder.',
      valid_until: '2026-12-15',
      attachment_ids: [],
      sections: [
        {
          name: 'Items & Services',
          always_required: true,
          items: [{ supplier_item_id: PIPE_ITEM.id, quantity: '2.5', unit_price: '142.86', tax_inclusive: true, is_service: false }],
        },
        { name: 'Options', always_required: false, items: [{ supplier_item_id: LABOR_ITEM.id, tax_inclusive: false, is_service: true }] },
      ],
    });
    expect(JSON.stringify(quote)).not.toContain('cost');
    await waitFor(() => expect(path()).toBe(`/quotes/${quote?.id}`));
  });

  it('shows Creating... during the save, then why it failed, and keeps the entered text', async () => {
    let respond: () => void = () => undefined;
    await openEditor(NEW_QUOTE_PATH, {
      'POST /quotes': async () => {
        await new Promise<void>((resolve) => {
          respond = resolve;
        });
        return failWith('FORBIDDEN', 'No');
      },
    });
    typeInto('Title', 'Hot water');
    await pressButton('Create Quote');
    await screen.findByRole('button', { name: 'Creating...' });
    await act(async () => respond());
    await waitForToasts('Failed to create quote: No');
    expect(getValue('Title')).toBe('Hot water');
  });

  it('requires a customer and a title', async () => {
    const { server } = await openEditor('/quotes/new');
    await pressButton('Create Quote');
    expect(await screen.findByText('Title is required')).toBeDefined();
    expect(screen.getByText('Customer is required').closest('[id$=error]')).not.toBeNull();
    expect(server.created).toEqual([]);
  });

  it('offers the active customers to choose from', async () => {
    const { server } = await openEditor('/quotes/new');
    await pressButton(/^Ana Rossi/);
    typeInto('Title', 'Hot water');
    await pressButton('Create Quote');
    await waitFor(() => expect(server.created).toMatchObject([{ customer_id: CUSTOMER.id }]));
  });

  it('shows an error on the line with an invalid quantity or price and focuses the field', async () => {
    const { server } = await openEditor();
    typeInto('Title', 'Hot water');
    await addItemByEnter('pipe');
    await screen.findByLabelText('Quantity of Copper pipe 15 mm');
    typeInto('Quantity of Copper pipe 15 mm', '0');
    typeInto('Unit price of Copper pipe 15 mm', '');
    await pressButton('Create Quote');
    await screen.findByText('Quantity must be at least 1');
    expect(screen.getByText('Unit price is required')).toBeDefined();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Quantity of Copper pipe 15 mm')));
    expect(server.created).toEqual([]);
    typeInto('Quantity of Copper pipe 15 mm', '1.5');
    await waitFor(() => expect(screen.queryByText('Quantity must be at least 1')).toBeNull());
  });
});

describe('quote sections', () => {
  it('require a name', async () => {
    await openEditor();
    typeInto('New section', '   ');
    await pressButton('Add Section');
    expect(screen.getByText('Please enter a section name')).toBeDefined();
  });

  it('can be renamed, described, duplicated, moved and, except for the last section, removed', async () => {
    await openEditor(EDIT_QUOTE_PATH);
    await pressButton('Actions for section Items & Services');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove section' }));
    await waitForToasts('At least one section is required');
    fireEvent.click(screen.getByRole('button', { name: 'Items & Services' }));
    const name = screen.getByLabelText('Section name');
    fireEvent.change(name, { target: { value: ' ' } });
    await pressKey(name, 'Enter');
    expect(screen.getByText('Please enter a section name')).toBeDefined();
    fireEvent.change(name, { target: { value: 'Lounge' } });
    await pressKey(name, 'Enter');
    await screen.findByRole('region', { name: 'Lounge' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Lounge' }));
    const chooseSectionAction = async (sectionName: string, action: string) => {
      await pressButton(`Actions for section ${sectionName}`);
      await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: action })));
    };
    await chooseSectionAction('Lounge', 'Add description');
    typeInto('Description of Lounge', 'A heat pump.');
    await chooseSectionAction('Lounge', 'Duplicate section');
    const getSectionNames = () => [...document.querySelectorAll('[data-drag-list] h2')].map(({ textContent }) => textContent);
    expect(getSectionNames()).toEqual(['Lounge', 'Lounge (copy)']);
    expect(getValue('Description of Lounge (copy)')).toBe('A heat pump.');
    await chooseSectionAction('Lounge (copy)', 'Move section up');
    expect(getSectionNames()).toEqual(['Lounge (copy)', 'Lounge']);
    await chooseSectionAction('Lounge', 'Remove section');
    expect(getSectionNames()).toEqual(['Lounge (copy)']);
    await pressButton('Undo');
    expect(getSectionNames()).toEqual(['Lounge (copy)', 'Lounge']);
    expect(getQuoteSection('Lounge').getByText('Heat pump')).toBeDefined();
  });

  it('can be duplicated even with the longest allowed name', async () => {
    const name = 'x'.repeat(200);
    const { server } = await openEditor(EDIT_QUOTE_PATH, {
      'GET /quotes/{id}': () => ({ ...QUOTE, sections: [{ ...QUOTE_SECTION, name }] }),
    });
    await pressButton(`Actions for section ${name}`);
    await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate section' })));
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
    expect(server.updated[0]?.sections[1]?.name).toMatch(/^x{193} \(copy\)$/);
  });

  it('save a name that is still being edited when Ctrl+S is pressed', async () => {
    const { server } = await openEditor(EDIT_QUOTE_PATH);
    fireEvent.click(screen.getByRole('button', { name: 'Items & Services' }));
    typeInto('Section name', 'Lounge');
    await act(async () => fireEvent.keyDown(screen.getByLabelText('Section name'), { key: 's', ctrlKey: true }));
    await waitFor(() => expect(server.updated).toMatchObject([{ sections: [{ name: 'Lounge' }] }]));
  });

  it('collapse and expand', async () => {
    await openEditor(EDIT_QUOTE_PATH);
    await pressButton('Collapse Items & Services');
    expect(screen.queryByText('Heat pump')).toBeNull();
    expect(getQuoteSection('Items & Services').getByText('1 item')).toBeDefined();
    await pressButton('Expand Items & Services');
    expect(screen.getByText('Heat pump')).toBeDefined();
  });

  it('receive the next added item once they are selected', async () => {
    await openEditor();
    typeInto('New section', 'Options');
    await pressButton('Add Section');
    expect(screen.getByText('Adds to Options')).toBeDefined();
    await pressButton('Add an item to Items & Services');
    expect(document.activeElement).toBe(getItemSearch());
    await addItemByEnter('pipe');
    await getQuoteSection('Items & Services').findByText('Copper pipe 15 mm');
    expect(getQuoteSection('Options').getByText('No items in this section')).toBeDefined();
  });

  it('can be saved as a template and inserted from a template', async () => {
    const saved: unknown[] = [];
    const { cost_price, margin_percentage, markup_amount, id: _id, total_price: _total, ...item } = QUOTE_ITEM;
    await openEditor(EDIT_QUOTE_PATH, {
      'POST /section-templates': (input: unknown) => {
        saved.push(input);
        return { id: 'x', name: 'x', description: null, always_required: false, items: [] };
      },
      'GET /section-templates': () => ({
        rows: [
          {
            id: QUOTE_SECTION.id,
            name: 'Towel rails',
            description: 'Warm towels.',
            always_required: true,
            items: [{ ...item, cost_price, margin_percentage, markup_amount, name: 'Towel rail' }],
          },
        ],
      }),
    });
    await pressButton('Actions for section Items & Services');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Save as template' }));
    await waitForToasts('Section saved as a template');
    expect(saved).toMatchObject([{ name: 'Items & Services', items: [{ name: 'Heat pump', quantity: '1', unit_price: '230.00' }] }]);
    expect(JSON.stringify(saved)).not.toContain(QUOTE_SECTION.id);
    await pressButton('Insert Template');
    await pressButton(/^Towel rails/);
    expect(await getQuoteSection('Towel rails').findByText('Towel rail')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Towel rails is required').checked).toBe(true);
    expect(getValue('Description of Towel rails')).toBe('Warm towels.');
  });
});

describe('quote items', () => {
  const HOSE_ITEM = { ...QUOTE_ITEM, id: '018f0000-0000-7000-8000-0000000000e2', name: 'Hose', unit_price: '92.00', total_price: '92.00' };
  const OPTIONAL_SECTION = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Option', items: [] };
  const TWO_SECTION_QUOTE = { ...QUOTE, sections: [{ ...QUOTE_SECTION, items: [QUOTE_ITEM, HOSE_ITEM] }, OPTIONAL_SECTION] };
  const openTwoSectionQuote = () => openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => TWO_SECTION_QUOTE });
  const getItemNames = () =>
    [...document.querySelectorAll('[data-drag-row]')].map((row) => row.querySelector('[aria-expanded]')?.textContent);
  const countItems = (name: string) => getQuoteSection(name).queryAllByRole('listitem').length;

  it('never go below a quantity of 1 with the step buttons', async () => {
    await openTwoSectionQuote();
    const decreaseButton = screen.getByRole<HTMLButtonElement>('button', { name: 'Decrease quantity of Hose' });
    expect(decreaseButton.disabled).toBe(true);
    await pressButton('Increase quantity of Hose');
    expect(getValue('Quantity of Hose')).toBe('2');
    typeInto('Quantity of Hose', '1.5');
    await act(async () => fireEvent.click(decreaseButton));
    expect(getValue('Quantity of Hose')).toBe('1');
    expect(decreaseButton.disabled).toBe(true);
  });

  it('move focus down the price column on Enter, then to the item search', async () => {
    await openTwoSectionQuote();
    screen.getByLabelText('Unit price of Heat pump').focus();
    await pressKey(screen.getByLabelText('Unit price of Heat pump'), 'Enter');
    expect(document.activeElement).toBe(screen.getByLabelText('Unit price of Hose'));
    await pressKey(screen.getByLabelText('Unit price of Hose'), 'Enter');
    expect(document.activeElement).toBe(getItemSearch());
  });

  it('move to another section from the menu', async () => {
    const { server } = await openTwoSectionQuote();
    await pressButton('Actions for Heat pump');
    await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to Option' })));
    expect([countItems('Items & Services'), countItems('Option')]).toEqual([1, 1]);
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
    expect(server.updated[0]?.sections.map(({ items }) => items.map(({ id }) => id))).toEqual([[HOSE_ITEM.id], [QUOTE_ITEM.id]]);
  });

  it('move within and between sections by keyboard, and return on Escape', async () => {
    await openTwoSectionQuote();
    const getDragHandle = () => screen.getByRole('button', { name: 'Move Heat pump' });
    getDragHandle().focus();
    await pressKey(getDragHandle(), ' ');
    await pressKey(getDragHandle(), 'ArrowDown');
    expect(getItemNames()).toEqual(['Hose', 'Heat pump']);
    expect(document.activeElement).toBe(getDragHandle());
    await pressKey(getDragHandle(), 'ArrowDown');
    expect([countItems('Items & Services'), countItems('Option')]).toEqual([1, 1]);
    expect(screen.getByText('Heat pump moved to position 1 of Option.')).toBeDefined();
    await pressKey(getDragHandle(), 'Escape');
    expect(getItemNames()).toEqual(['Heat pump', 'Hose']);
    expect(countItems('Option')).toBe(0);
  });

  it('are dropped when focus leaves the drag handle, even after a move that changed nothing', async () => {
    await openTwoSectionQuote();
    await pressButton('Collapse Option');
    const dragHandle = screen.getByRole('button', { name: 'Move Heat pump' });
    dragHandle.focus();
    await pressKey(dragHandle, ' ');
    await pressKey(dragHandle, 'ArrowUp');
    await act(async () => screen.getByLabelText('Title').focus());
    expect(dragHandle.getAttribute('aria-pressed')).toBe('false');
    typeInto('Quantity of Hose', '7');
    await pressKey(dragHandle, 'Escape');
    expect(getValue('Quantity of Hose')).toBe('7');
  });

  it('can still be dragged after their section is collapsed and expanded', async () => {
    const observed: Element[] = [];
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe = (element: Element) => observed.push(element);
        disconnect = () => observed.splice(0);
      },
    );
    await openTwoSectionQuote();
    await act(async () => fireEvent.pointerMove(window));
    await waitFor(() => expect(observed).toHaveLength(2));
    await pressButton('Collapse Items & Services');
    await pressButton('Expand Items & Services');
    await waitFor(() => expect(observed.map(({ isConnected }) => isConnected)).toEqual([true, true]));
  });

  it('can be removed and restored with Undo', async () => {
    await openTwoSectionQuote();
    screen.getByRole('button', { name: 'Remove Heat pump' }).focus();
    await pressButton('Remove Heat pump');
    expect(getItemNames()).toEqual(['Hose']);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Hose' }));
    await pressButton('Undo');
    expect(getItemNames()).toEqual(['Heat pump', 'Hose']);
  });

  it('expand to edit the name, the description and whether the price includes GST', async () => {
    const { server } = await openTwoSectionQuote();
    await act(async () => fireEvent.click(screen.getByTitle('Edit Hose')));
    typeInto('Name', 'Garden hose');
    const description = document.querySelector(`[data-drag-row="${HOSE_ITEM.id}"] textarea`);
    if (description) fireEvent.change(description, { target: { value: '20 m' } });
    fireEvent.click(screen.getByLabelText('Price includes GST'));
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
    expect(server.updated[0]?.sections[0]?.items[1]).toMatchObject({ name: 'Garden hose', description: '20 m', tax_inclusive: false });
  });
});
