import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { EDIT, openEditor, summary } from './open-quote-editor.ts';
import { OWNER, PROFILE, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './people.ts';

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

async function openNew(path: string, more = {}) {
  const page = openEditor(path, more);
  await screen.findByLabelText('Title');
  return page;
}

describe('the summary', () => {
  const section2 = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d2', name: 'Rails' };
  const section3 = { ...QUOTE_SECTION, id: '018f0000-0000-7000-8000-0000000000d3', name: 'Tap' };
  const line = (id: number, price: string, rest = {}) => ({
    ...QUOTE_ITEM,
    id: `018f0000-0000-7000-8000-0000000000f${id}`,
    unit_price: price,
    ...rest,
  });
  const THREE = {
    ...QUOTE,
    sections: [
      { ...QUOTE_SECTION, name: 'Gas', always_required: true, items: [line(1, '200.00', { tax_inclusive: false, is_service: true })] },
      { ...section2, items: [line(2, '230.00')] },
      { ...section3, items: [line(3, '92.00')] },
    ],
  };
  const text = () => summary().getByRole('heading', { name: 'Summary' }).parentElement?.textContent;

  it("adds up sections, tax and total, and what the customer can accept, at the company's rate", async () => {
    await openNew(EDIT, { 'GET /quotes/{id}': () => THREE });
    await waitFor(() =>
      expect(text()).toBe(
        'SummaryGas required230.00Rails 230.00Tap 92.00Subtotal480.00GST 15%72.00Total$552.00' +
          'At least one option must be chosen, so the customer accepts between $322.00 and $552.00.',
      ),
    );
  });

  it('of an accepted quote is at the rate it was accepted at, as it is saved', async () => {
    const quote = { ...QUOTE, status: 'accepted' as const, tax_rate: '12.5', acceptance: ACCEPTANCE };
    await openNew(EDIT, { 'GET /quotes/{id}': () => quote });
    await waitFor(() => expect(text()).toContain('GST 12.5%25.56'));
  });

  it("says that saving reprices at today's GST", async () => {
    const quote = { ...QUOTE, tax_rate: '15' };
    const page = await openNew(EDIT, {
      'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, gst_percentage: '12.50' } }),
      'GET /quotes/{id}': () => quote,
    });
    await waitFor(() => expect(text()).toContain("Saving uses today's GST of 12.5% (was 15%)."));
    expect(page.server.updated).toEqual([]);
  });

  it('says nothing about GST that has not changed', async () => {
    await openNew(EDIT, { 'GET /quotes/{id}': () => ({ ...QUOTE, tax_rate: '15' }) });
    await waitFor(() => expect(text()).toContain('GST 15%'));
    expect(text()).not.toContain('Saving uses');
  });

  it('follows every change', async () => {
    await openNew(EDIT);
    typeInto('Unit price of Heat pump', '115');
    await press('Increase quantity of Heat pump');
    await waitFor(() => expect(text()).toContain('Subtotal200.00GST 15%30.00Total$230.00'));
    typeInto('Unit price of Heat pump', 'abc');
    await waitFor(() => expect(text()).toContain('Total$0.00'));
  });

  it('prints a rounding row when rounded sections do not add up', async () => {
    const items = (id: number) => [line(id, '0.10', { tax_inclusive: false })];
    const quote = {
      ...QUOTE,
      sections: [
        { ...QUOTE_SECTION, items: items(1) },
        { ...section2, items: items(2) },
        { ...section3, items: items(3) },
      ],
    };
    await openNew(EDIT, { 'GET /quotes/{id}': () => quote });
    await waitFor(() =>
      expect(text()).toMatch(
        /RoundingSections are rounded to the cent; the total is rounded once\.-0\.01Subtotal0\.30GST 15%0\.05Total\$0\.35/,
      ),
    );
  });

  it('has the estimated profit, split and never for the customer', async () => {
    await openNew(EDIT, { 'GET /quotes/{id}': () => THREE });
    const card = summary().getByRole('heading', { name: 'Estimated profit' }).closest('div')?.parentElement;
    await waitFor(() => expect(card?.textContent).toBe('Estimated profit$222.00Materials22.00Services200.00Never shown to the customer'));
  });

  it('uses the rate of the company', async () => {
    await openNew(EDIT, { 'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, gst_percentage: '12.5' } }) });
    await waitFor(() => expect(text()).toContain('GST 12.5%'));
  });
});

describe('an edited quote', () => {
  it('shows its number, status and customer, which cannot be changed', async () => {
    await openNew(EDIT);
    expect(screen.getByText('Q001234')).toBeDefined();
    expect(screen.getByText('Draft')).toBeDefined();
    expect(screen.getByText('Ana Rossi')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
    expect(screen.queryByLabelText(/status/i)).toBeNull();
  });

  it('says that it is loading, and that it is not there', async () => {
    openEditor(EDIT, { 'GET /quotes/{id}': () => refuse('NOT_FOUND', 'Quote not found') });
    expect(await screen.findByText('Loading quote details...')).toBeDefined();
    expect(await screen.findByText('Quote not found')).toBeDefined();
  });

  it('is saved from its version under the ids it has, without an end, and leads back to the quote', async () => {
    const { server, path } = await openNew(EDIT);
    typeInto(/^Valid until/, '');
    await press('Save Changes');
    await waitForToasts('Quote updated successfully');
    expect(server.updated).toMatchObject([
      { version: 1, valid_until: null, sections: [{ id: QUOTE_SECTION.id, items: [{ id: QUOTE_ITEM.id }] }] },
    ]);
    expect(JSON.stringify(server.updated)).not.toMatch(/customer_id|status/);
    await waitFor(() => expect(path()).toBe(`/quotes/${QUOTE.id}`));
  });

  it('says Saving... and why it failed', async () => {
    let answer: () => void = () => undefined;
    await openNew(EDIT, {
      'PUT /quotes/{id}': async () => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return refuse('FORBIDDEN', 'No');
      },
    });
    typeInto('Title', '');
    await press('Save Changes');
    await screen.findByText('Title is required');
    typeInto('Title', 'Other');
    await press('Save Changes');
    await screen.findByRole('button', { name: 'Saving...' });
    await act(async () => answer());
    await waitForToasts('Failed to update quote: No');
    expect(valueOf('Title')).toBe('Other');
  });

  it('that was deleted elsewhere can be saved as a new one, with rows of its own and without the files that went with it', async () => {
    const plan = { id: '018f0000-0000-7000-8000-00000000f001', file_name: 'plan.pdf', file_size: 1, file_type: 'application/pdf' };
    const { server, queryClient, path } = await openNew(EDIT);
    server.quote = { ...QUOTE, attachments: [{ ...plan, url: '/api/files/1', thumbnail_url: null }] };
    await act(async () => queryClient.invalidateQueries());
    typeInto('Title', 'Other');
    server.quote = null;
    await act(async () => queryClient.invalidateQueries());
    await screen.findByText('This quote has been deleted. You can save your version as a new quote.');
    await press('Save as new quote');
    await waitFor(() => expect(server.created).toMatchObject([{ title: 'Other', customer_id: QUOTE.customer_id, attachment_ids: [] }]));
    const [copy] = server.created;
    for (const { id } of [QUOTE, QUOTE_SECTION, QUOTE_ITEM]) expect(JSON.stringify(copy)).not.toContain(id);
    expect(copy?.sections[0]?.items).toHaveLength(1);
    server.quote = QUOTE;
    await waitFor(() => expect(path()).toBe(`/quotes/${copy?.id}`));
  });

  it('is deleted after a question, and leads to the list', async () => {
    const removed: string[] = [];
    const { path } = await openNew(EDIT, {
      'DELETE /quotes/{id}': () => {
        removed.push('quote');
        return {};
      },
    });
    typeInto('Title', 'Other');
    await press('More actions');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete Quote' });
    expect(dialog.textContent).toContain('Are you sure you want to delete this quote? This action cannot be undone.');
    await press('Delete Quote');
    await waitFor(() => expect(path()).toBe('/quotes'));
    expect([removed, toastTexts()]).toEqual([['quote'], ['Quote deleted successfully']]);
  });

  it('that was accepted says that changes do not alter what was accepted', async () => {
    await openNew(EDIT, { 'GET /quotes/{id}': () => ({ ...QUOTE, status: 'accepted', shown_status: 'accepted' }) });
    expect(screen.getByText("The customer accepted this quote. Changes here don't alter what they accepted.")).toBeDefined();
  });
});
