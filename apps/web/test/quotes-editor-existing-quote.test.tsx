import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, CUSTOMER, PROFILE, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './fixtures.ts';
import { failWith, getToasts, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import { EDIT_QUOTE_PATH, getQuoteTotals, openQuoteEditor } from './open-quote-editor.ts';

const ACCEPTANCE = {
  accepted_by: 'Ana Rossi',
  by_customer: true,
  accepted_at: '2026-01-05T09:00:00.000Z',
  network_address: null,
  browser: null,
  section_ids: [QUOTE_SECTION.id],
  total_amount: '230.00',
  job_id: null,
  job_number: '202601-0001',
  changed_section_ids: [],
  is_intact: true,
  sha256: 'abc',
};

async function openEditor(path: string, responses = {}) {
  const page = openQuoteEditor(path, responses);
  await screen.findByLabelText('Title');
  return page;
}

describe('a quote that has lost its customer', () => {
  it('can be given another one', async () => {
    const { server } = await openEditor(EDIT_QUOTE_PATH, {
      'GET /quotes/{id}': () => ({ ...QUOTE, customer: null, customer_id: null }),
    });
    await pressButton(/^Ana Rossi/);
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toMatchObject([{ customer_id: CUSTOMER.id }]));
  });
});

describe('the quote summary', () => {
  const railsSection = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Rails' };
  const tapSection = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d3', name: 'Tap' };
  const buildLine = (id: number, price: string, overrides = {}) => ({
    ...QUOTE_ITEM,
    id: `018f0000-0000-7000-8000-0000000000f${id}`,
    unit_price: price,
    ...overrides,
  });
  const THREE_SECTION_QUOTE = {
    ...QUOTE,
    sections: [
      { ...QUOTE_SECTION, name: 'Gas', always_required: true, items: [buildLine(1, '200.00', { tax_inclusive: false, is_service: true })] },
      { ...railsSection, items: [buildLine(2, '230.00')] },
      { ...tapSection, items: [buildLine(3, '92.00')] },
    ],
  };
  const getSummaryText = () => getQuoteTotals().getByRole('heading', { name: 'Summary' }).parentElement?.textContent;

  it('shows sections, tax, total and the range of totals the customer can accept', async () => {
    await openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => THREE_SECTION_QUOTE });
    await waitFor(() =>
      expect(getSummaryText()).toBe(
        'SummaryGas required230.00Rails 230.00Tap 92.00Subtotal480.00GST 15%72.00Total$552.00' +
          'The customer must choose at least one option, so the total will be between $322.00 and $552.00.',
      ),
    );
  });

  it('uses the tax rate at the time of acceptance for an accepted quote', async () => {
    const quote = { ...QUOTE, status: 'accepted' as const, tax_rate: '12.5', acceptance: ACCEPTANCE };
    await openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => quote });
    await waitFor(() => expect(getSummaryText()).toContain('GST 12.5%25.56'));
  });

  it("warns that saving applies today's GST rate", async () => {
    const quote = { ...QUOTE, tax_rate: '15' };
    const page = await openEditor(EDIT_QUOTE_PATH, {
      'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, gst_percentage: '12.50' } }),
      'GET /quotes/{id}': () => quote,
    });
    await waitFor(() => expect(getSummaryText()).toContain("Saving uses today's GST of 12.5% (was 15%)."));
    expect(page.server.updated).toEqual([]);
  });

  it('shows no GST warning if the rate has not changed', async () => {
    await openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => ({ ...QUOTE, tax_rate: '15' }) });
    await waitFor(() => expect(getSummaryText()).toContain('GST 15%'));
    expect(getSummaryText()).not.toContain('Saving uses');
  });

  it('updates with every change of price or quantity', async () => {
    await openEditor(EDIT_QUOTE_PATH);
    typeInto('Unit price of Heat pump', '115');
    await pressButton('Increase quantity of Heat pump');
    await waitFor(() => expect(getSummaryText()).toContain('Subtotal200.00GST 15%30.00Total$230.00'));
    typeInto('Unit price of Heat pump', 'abc');
    await waitFor(() => expect(getSummaryText()).toContain('Total$0.00'));
  });

  it('shows a rounding row when the rounded sections do not add up to the total', async () => {
    const buildItems = (id: number) => [buildLine(id, '0.10', { tax_inclusive: false })];
    const quote = {
      ...QUOTE,
      sections: [
        { ...QUOTE_SECTION, items: buildItems(1) },
        { ...railsSection, items: buildItems(2) },
        { ...tapSection, items: buildItems(3) },
      ],
    };
    await openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => quote });
    await waitFor(() =>
      expect(getSummaryText()).toMatch(
        /RoundingSections are rounded to the cent; the total is rounded once\.-0\.01Subtotal0\.30GST 15%0\.05Total\$0\.35/,
      ),
    );
  });

  it('splits the estimated profit into materials and services and labels it as internal', async () => {
    await openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => THREE_SECTION_QUOTE });
    const profitCard = getQuoteTotals().getByRole('heading', { name: 'Estimated profit' }).closest('div')?.parentElement;
    await waitFor(() =>
      expect(profitCard?.textContent).toBe('Estimated profit$222.00Materials22.00Services200.00Never shown to the customer'),
    );
  });

  it("uses the company's tax rate", async () => {
    await openEditor(EDIT_QUOTE_PATH, { 'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, gst_percentage: '12.5' } }) });
    await waitFor(() => expect(getSummaryText()).toContain('GST 12.5%'));
  });
});

describe('editing an existing quote', () => {
  it('shows the number, status and customer as read-only', async () => {
    await openEditor(EDIT_QUOTE_PATH);
    expect(screen.getByText('Q001234')).toBeDefined();
    expect(screen.getByText('Draft')).toBeDefined();
    expect(screen.getByText('Ana Rossi')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
    expect(screen.queryByLabelText(/status/i)).toBeNull();
  });

  it('shows a loading text, then that the quote was not found', async () => {
    openQuoteEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => failWith('NOT_FOUND', 'Quote not found') });
    expect(await screen.findByText('Loading quote details...')).toBeDefined();
    expect(await screen.findByText('Quote not found')).toBeDefined();
  });

  it('saves against the loaded version with the same ids and returns to the quote page', async () => {
    const { server, path } = await openEditor(EDIT_QUOTE_PATH);
    typeInto(/^Valid until/, '');
    await pressButton('Save Changes');
    await waitForToasts('Quote updated successfully');
    expect(server.updated).toMatchObject([
      { version: 1, valid_until: null, sections: [{ id: QUOTE_SECTION.id, items: [{ id: QUOTE_ITEM.id }] }] },
    ]);
    expect(JSON.stringify(server.updated)).not.toMatch(/customer_id|status/);
    await waitFor(() => expect(path()).toBe(`/quotes/${QUOTE.id}`));
  });

  it('shows Saving... during the save, then why it failed', async () => {
    let respond: () => void = () => undefined;
    await openEditor(EDIT_QUOTE_PATH, {
      'PUT /quotes/{id}': async () => {
        await new Promise<void>((resolve) => {
          respond = resolve;
        });
        return failWith('FORBIDDEN', 'No');
      },
    });
    typeInto('Title', '');
    await pressButton('Save Changes');
    await screen.findByText('Title is required');
    typeInto('Title', 'Other');
    await pressButton('Save Changes');
    await screen.findByRole('button', { name: 'Saving...' });
    await act(async () => respond());
    await waitForToasts('Failed to update quote: No');
    expect(getValue('Title')).toBe('Other');
  });

  it('saves a quote that was deleted elsewhere as a new quote with new ids and no attachments', async () => {
    const planFile = { id: '018f0000-0000-7000-8000-00000000f001', file_name: 'plan.pdf', file_size: 1, file_type: 'application/pdf' };
    const { server, queryClient, path } = await openEditor(EDIT_QUOTE_PATH);
    server.quote = { ...QUOTE, attachments: [{ ...planFile, url: '/api/files/1', thumbnail_url: null }] };
    await act(async () => queryClient.invalidateQueries());
    typeInto('Title', 'Other');
    server.quote = null;
    await act(async () => queryClient.invalidateQueries());
    await screen.findByText('This quote has been deleted. You can save your version as a new quote.');
    await pressButton('Save as new quote');
    await waitFor(() => expect(server.created).toMatchObject([{ title: 'Other', customer_id: QUOTE.customer_id, attachment_ids: [] }]));
    const [copy] = server.created;
    for (const { id } of [QUOTE, QUOTE_SECTION, QUOTE_ITEM]) expect(JSON.stringify(copy)).not.toContain(id);
    expect(copy?.sections[0]?.items).toHaveLength(1);
    server.quote = QUOTE;
    await waitFor(() => expect(path()).toBe(`/quotes/${copy?.id}`));
  });

  it('deletes the quote after a confirmation and opens the quote list', async () => {
    const deletedQuotes: string[] = [];
    const { path } = await openEditor(EDIT_QUOTE_PATH, {
      'DELETE /quotes/{id}': () => {
        deletedQuotes.push('quote');
        return {};
      },
    });
    typeInto('Title', 'Other');
    await pressButton('More actions');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete Quote' });
    expect(dialog.textContent).toContain('Are you sure you want to delete this quote? This action cannot be undone.');
    await pressButton('Delete Quote');
    await waitFor(() => expect(path()).toBe('/quotes'));
    expect([deletedQuotes, getToasts()]).toEqual([['quote'], ['Quote deleted successfully']]);
  });

  it('explains on an accepted quote that edits do not change what was accepted', async () => {
    await openEditor(EDIT_QUOTE_PATH, { 'GET /quotes/{id}': () => ({ ...QUOTE, status: 'accepted', shown_status: 'accepted' }) });
    expect(screen.getByText("The customer accepted this quote. Changes here don't alter what they accepted.")).toBeDefined();
  });
});
