import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { EDIT, LABOR, NEW, openEditor, PIPE, searching, section } from './open-quote-editor.ts';
import { CUSTOMER, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './people.ts';

const searchField = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Add an item/ });
const key = (element: Element, name: string) => act(async () => fireEvent.keyDown(element, { key: name }));

async function addByEnter(term: string) {
  fireEvent.change(searchField(), { target: { value: term } });
  await key(searchField(), 'Enter');
}

async function openNew(path = NEW, more = {}) {
  const page = openEditor(path, more);
  await screen.findByLabelText('Title');
  return page;
}

describe('a new quote', () => {
  it('starts with one section, two tabs and the customer of the link', async () => {
    await openNew();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Quote', 'Attachments']);
    expect(screen.getByText('Ana Rossi')).toBeDefined();
    expect(screen.queryByLabelText('Search customers')).toBeNull();
    expect(section('Items & Services').getByText('No items in this section')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Create Quote' })).toBeDefined();
  });

  it('adds the first item found with Enter, says so, and keeps the search focused', async () => {
    await openNew();
    await addByEnter('pipe');
    await section('Items & Services').findByText('Copper pipe 15 mm');
    await waitForToasts('Item added to section');
    expect(searchField().value).toBe('');
    expect(document.activeElement).toBe(searchField());
    expect(section('Items & Services').getByText('#CP-15')).toBeDefined();
    expect(section('Items & Services').getByText('inc GST')).toBeDefined();
    expect(valueOf('Unit price of Copper pipe 15 mm')).toBe('142.86');
  });

  it('finds items with their price; the arrow keys choose another one', async () => {
    await openNew(NEW, searching('p', PIPE, LABOR));
    fireEvent.change(searchField(), { target: { value: 'p' } });
    expect([screen.getByRole('status', { name: 'Search' }).textContent, searchField().hasAttribute('aria-activedescendant')]).toEqual([
      'Searching…',
      false,
    ]);
    const options = await within(await screen.findByRole('listbox')).findAllByRole('option');
    expect(searchField().getAttribute('aria-activedescendant')).toBe(options[0]?.id);
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'Copper pipe 15 mm #CP-15 · Harbour Pipesinc GST142.86Enter',
      'Install and commission #SV-1 · Harbour Pipesexc GST105.00',
      'Add “p” as a custom item',
    ]);
    act(() => searchField().focus());
    act(() => screen.getByLabelText('Title').focus());
    expect([screen.queryByRole('listbox'), searchField().value]).toEqual([null, 'p']);
    act(() => searchField().focus());
    await key(searchField(), 'ArrowDown');
    await key(searchField(), 'Enter');
    await section('Items & Services').findByText('Install and commission');
    expect(section('Items & Services').getByText('Service')).toBeDefined();
  });

  it('takes what no price list has as a custom item, and goes on with its price', async () => {
    const { server } = await openNew();
    await addByEnter('unobtainium');
    await screen.findByLabelText('Unit price of unobtainium');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Unit price of unobtainium')));
    typeInto('Unit price of unobtainium', '$1,250.50');
    await key(screen.getByLabelText('Unit price of unobtainium'), 'Enter');
    expect(document.activeElement).toBe(searchField());
    expect(valueOf('Unit price of unobtainium')).toBe('1,250.50');
    typeInto('Title', 'Heat');
    await press('Create Quote');
    await waitFor(() => expect(server.created).toHaveLength(1));
    expect(server.created[0]?.sections[0]?.items).toMatchObject([{ supplier_item_id: null, name: 'unobtainium', unit_price: '1250.50' }]);
  });

  it('is created with what was typed, and opens', async () => {
    const { server, path } = await openNew();
    typeInto('Title', 'Hot water');
    typeInto(/^Description/, 'Replace the cylinder.');
    typeInto(/^Valid until/, '2026-12-15');
    await addByEnter('pipe');
    await screen.findByLabelText('Quantity of Copper pipe 15 mm');
    typeInto('Quantity of Copper pipe 15 mm', '2.5');
    typeInto('New section', 'Options');
    await press('Add Section');
    await addByEnter('labor');
    await section('Options').findByText('Install and commission');
    fireEvent.click(screen.getByLabelText('Items & Services is required'));
    await press('Create Quote');
    await waitFor(() => expect(toastTexts()).toContain('Quote created successfully'));
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
          items: [{ supplier_item_id: PIPE.id, quantity: '2.5', unit_price: '142.86', tax_inclusive: true, is_service: false }],
        },
        { name: 'Options', always_required: false, items: [{ supplier_item_id: LABOR.id, tax_inclusive: false, is_service: true }] },
      ],
    });
    expect(JSON.stringify(quote)).not.toContain('cost');
    await waitFor(() => expect(path()).toBe(`/quotes/${quote?.id}`));
  });

  it('says Creating... meanwhile, and why it failed, keeping what was typed', async () => {
    let answer: () => void = () => undefined;
    await openNew(NEW, {
      'POST /quotes': async () => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return refuse('FORBIDDEN', 'No');
      },
    });
    typeInto('Title', 'Hot water');
    await press('Create Quote');
    await screen.findByRole('button', { name: 'Creating...' });
    await act(async () => answer());
    await waitForToasts('Failed to create quote: No');
    expect(valueOf('Title')).toBe('Hot water');
  });

  it('needs a customer and a title', async () => {
    const { server } = await openNew('/quotes/new');
    await press('Create Quote');
    expect(await screen.findByText('Title is required')).toBeDefined();
    expect(screen.getByText('Customer is required').closest('[id$=error]')).not.toBeNull();
    expect(server.created).toEqual([]);
  });

  it('finds its customer among the active ones', async () => {
    const { server } = await openNew('/quotes/new');
    await press(/^Ana Rossi/);
    typeInto('Title', 'Hot water');
    await press('Create Quote');
    await waitFor(() => expect(server.created).toMatchObject([{ customer_id: CUSTOMER.id }]));
  });

  it('with a wrong quantity or price says so at the line and goes there', async () => {
    const { server } = await openNew();
    typeInto('Title', 'Hot water');
    await addByEnter('pipe');
    await screen.findByLabelText('Quantity of Copper pipe 15 mm');
    typeInto('Quantity of Copper pipe 15 mm', '0');
    typeInto('Unit price of Copper pipe 15 mm', '');
    await press('Create Quote');
    await screen.findByText('Quantity must be at least 1');
    expect(screen.getByText('Unit price is required')).toBeDefined();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Quantity of Copper pipe 15 mm')));
    expect(server.created).toEqual([]);
    typeInto('Quantity of Copper pipe 15 mm', '1.5');
    await waitFor(() => expect(screen.queryByText('Quantity must be at least 1')).toBeNull());
  });
});

describe('sections', () => {
  it('need a name', async () => {
    await openNew();
    typeInto('New section', '   ');
    await press('Add Section');
    expect(screen.getByText('Please enter a section name')).toBeDefined();
  });

  it('are renamed, described, duplicated, moved and removed, but never the last one', async () => {
    await openNew(EDIT);
    await press('Actions for section Items & Services');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Remove section' }));
    await waitForToasts('At least one section is required');

    fireEvent.click(screen.getByRole('button', { name: 'Items & Services' }));
    const name = screen.getByLabelText('Section name');
    fireEvent.change(name, { target: { value: ' ' } });
    await key(name, 'Enter');
    expect(screen.getByText('Please enter a section name')).toBeDefined();
    fireEvent.change(name, { target: { value: 'Lounge' } });
    await key(name, 'Enter');
    await screen.findByRole('region', { name: 'Lounge' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Lounge' }));

    const choose = async (of: string, item: string) => {
      await press(`Actions for section ${of}`);
      await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: item })));
    };
    await choose('Lounge', 'Add description');
    typeInto('Description of Lounge', 'A heat pump.');
    await choose('Lounge', 'Duplicate section');
    const names = () => [...document.querySelectorAll('[data-drag-list] h2')].map(({ textContent }) => textContent);
    expect(names()).toEqual(['Lounge', 'Lounge (copy)']);
    expect(valueOf('Description of Lounge (copy)')).toBe('A heat pump.');
    await choose('Lounge (copy)', 'Move section up');
    expect(names()).toEqual(['Lounge (copy)', 'Lounge']);
    await choose('Lounge', 'Remove section');
    expect(names()).toEqual(['Lounge (copy)']);
    await press('Undo');
    expect(names()).toEqual(['Lounge (copy)', 'Lounge']);
    expect(section('Lounge').getByText('Heat pump')).toBeDefined();
  });

  it('can be duplicated and saved whatever the length of their name', async () => {
    const name = 'x'.repeat(200);
    const { server } = await openNew(EDIT, { 'GET /quotes/{id}': () => ({ ...QUOTE, sections: [{ ...QUOTE_SECTION, name }] }) });
    await press(`Actions for section ${name}`);
    await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate section' })));
    await press('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
    expect(server.updated[0]?.sections[1]?.name).toMatch(/^x{193} \(copy\)$/);
  });

  it('keep a new name that is saved by key', async () => {
    const { server } = await openNew(EDIT);
    fireEvent.click(screen.getByRole('button', { name: 'Items & Services' }));
    typeInto('Section name', 'Lounge');
    await act(async () => fireEvent.keyDown(screen.getByLabelText('Section name'), { key: 's', ctrlKey: true }));
    await waitFor(() => expect(server.updated).toMatchObject([{ sections: [{ name: 'Lounge' }] }]));
  });

  it('are collapsed and expanded', async () => {
    await openNew(EDIT);
    await press('Collapse Items & Services');
    expect(screen.queryByText('Heat pump')).toBeNull();
    expect(section('Items & Services').getByText('1 item')).toBeDefined();
    await press('Expand Items & Services');
    expect(screen.getByText('Heat pump')).toBeDefined();
  });

  it('take the next item when they were chosen last', async () => {
    await openNew();
    typeInto('New section', 'Options');
    await press('Add Section');
    expect(screen.getByText('Adds to Options')).toBeDefined();
    await press('Add an item to Items & Services');
    expect(document.activeElement).toBe(searchField());
    await addByEnter('pipe');
    await section('Items & Services').findByText('Copper pipe 15 mm');
    expect(section('Options').getByText('No items in this section')).toBeDefined();
  });

  it('are saved as a template and inserted', async () => {
    const saved: unknown[] = [];
    const { cost_price, margin_percentage, markup_amount, id: _id, total_price: _total, ...item } = QUOTE_ITEM;
    await openNew(EDIT, {
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
    await press('Actions for section Items & Services');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Save as template' }));
    await waitForToasts('Section saved as a template');
    expect(saved).toMatchObject([{ name: 'Items & Services', items: [{ name: 'Heat pump', quantity: '1', unit_price: '230.00' }] }]);
    expect(JSON.stringify(saved)).not.toContain(QUOTE_SECTION.id);

    await press('Insert Template');
    await press(/^Towel rails/);
    expect(await section('Towel rails').findByText('Towel rail')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Towel rails is required').checked).toBe(true);
    expect(valueOf('Description of Towel rails')).toBe('Warm towels.');
  });
});

describe('items', () => {
  const HOSE = { ...QUOTE_ITEM, id: '018f0000-0000-7000-8000-0000000000e2', name: 'Hose', unit_price: '92.00', total_price: '92.00' };
  const OPTION = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Option', items: [] };
  const TWO = { ...QUOTE, sections: [{ ...QUOTE_SECTION, items: [QUOTE_ITEM, HOSE] }, OPTION] };
  const openTwo = () => openNew(EDIT, { 'GET /quotes/{id}': () => TWO });
  const rows = () => [...document.querySelectorAll('[data-drag-row]')].map((row) => row.querySelector('[aria-expanded]')?.textContent);
  const inSection = (name: string) => section(name).queryAllByRole('listitem').length;

  it('have a quantity of at least 1, by the buttons and the arrow keys', async () => {
    await openTwo();
    const less = screen.getByRole<HTMLButtonElement>('button', { name: 'Decrease quantity of Hose' });
    expect(less.disabled).toBe(true);
    await press('Increase quantity of Hose');
    expect(valueOf('Quantity of Hose')).toBe('2');
    typeInto('Quantity of Hose', '1.5');
    await act(async () => fireEvent.click(less));
    expect(valueOf('Quantity of Hose')).toBe('1');
    expect(less.disabled).toBe(true);
  });

  it('follow Enter down the column, and from the last one into the search', async () => {
    await openTwo();
    screen.getByLabelText('Unit price of Heat pump').focus();
    await key(screen.getByLabelText('Unit price of Heat pump'), 'Enter');
    expect(document.activeElement).toBe(screen.getByLabelText('Unit price of Hose'));
    await key(screen.getByLabelText('Unit price of Hose'), 'Enter');
    expect(document.activeElement).toBe(searchField());
  });

  it('move to another section by the menu', async () => {
    const { server } = await openTwo();
    await press('Actions for Heat pump');
    await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to Option' })));
    expect([inSection('Items & Services'), inSection('Option')]).toEqual([1, 1]);
    await press('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
    expect(server.updated[0]?.sections.map(({ items }) => items.map(({ id }) => id))).toEqual([[HOSE.id], [QUOTE_ITEM.id]]);
  });

  it('move within and between sections by keyboard, and go back with Escape', async () => {
    await openTwo();
    const grip = () => screen.getByRole('button', { name: 'Move Heat pump' });
    grip().focus();
    await key(grip(), ' ');
    await key(grip(), 'ArrowDown');
    expect(rows()).toEqual(['Hose', 'Heat pump']);
    expect(document.activeElement).toBe(grip());
    await key(grip(), 'ArrowDown');
    expect([inSection('Items & Services'), inSection('Option')]).toEqual([1, 1]);
    expect(screen.getByText('Heat pump moved to position 1 of Option.')).toBeDefined();
    await key(grip(), 'Escape');
    expect(rows()).toEqual(['Heat pump', 'Hose']);
    expect(inSection('Option')).toBe(0);
  });

  it('are put down when the focus leaves, also after a step that leads nowhere', async () => {
    await openTwo();
    await press('Collapse Option');
    const grip = screen.getByRole('button', { name: 'Move Heat pump' });
    grip.focus();
    await key(grip, ' ');
    await key(grip, 'ArrowUp');
    await act(async () => screen.getByLabelText('Title').focus());
    expect(grip.getAttribute('aria-pressed')).toBe('false');
    typeInto('Quantity of Hose', '7');
    await key(grip, 'Escape');
    expect(valueOf('Quantity of Hose')).toBe('7');
  });

  it('can be dragged again after their section was collapsed', async () => {
    const observed: Element[] = [];
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe = (element: Element) => observed.push(element);
        disconnect = () => observed.splice(0);
      },
    );
    await openTwo();
    await act(async () => fireEvent.pointerMove(window));
    await waitFor(() => expect(observed).toHaveLength(2));
    await press('Collapse Items & Services');
    await press('Expand Items & Services');
    await waitFor(() => expect(observed.map(({ isConnected }) => isConnected)).toEqual([true, true]));
  });

  it('are removed with Undo', async () => {
    await openTwo();
    screen.getByRole('button', { name: 'Remove Heat pump' }).focus();
    await press('Remove Heat pump');
    expect(rows()).toEqual(['Hose']);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Hose' }));
    await press('Undo');
    expect(rows()).toEqual(['Heat pump', 'Hose']);
  });

  it('show name, description and how their price counts on demand', async () => {
    const { server } = await openTwo();
    await act(async () => fireEvent.click(screen.getByTitle('Edit Hose')));
    typeInto('Name', 'Garden hose');
    const description = document.querySelector(`[data-drag-row="${HOSE.id}"] textarea`);
    if (description) fireEvent.change(description, { target: { value: '20 m' } });
    fireEvent.click(screen.getByLabelText('Price includes GST'));
    await press('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
    expect(server.updated[0]?.sections[0]?.items[1]).toMatchObject({ name: 'Garden hose', description: '20 m', tax_inclusive: false });
  });
});
