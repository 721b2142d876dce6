import type { Quote } from '@callout/contract/quotes';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CUSTOMER, JOB, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './fixtures.ts';
import { failWith, getToasts, pressButton, waitForToasts } from './open-page.tsx';
import {
  ACCEPTED_QUOTE,
  chooseMoreAction,
  findLinkHref,
  findQuoteHeading,
  OUTDOOR_TAP_SECTION,
  openQuotePage,
  QUOTE_ACCEPTANCE,
  QUOTE_PATH,
  SENT_QUOTE,
  THREE_SECTION_QUOTE,
} from './open-quote.ts';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setViewportWidth(1024);
  vi.restoreAllMocks();
});

const getPrimaryActions = () =>
  [...screen.getByRole('main').querySelectorAll('[class*="bg-accent "]')].map(({ textContent }) => textContent).filter(Boolean);
const openMenuAndListItems = async () => {
  await pressButton('More actions');
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
};

describe('the quote page', () => {
  it.each([1440, 390])('shows customer, total, expiry date and items at %s px', async (width) => {
    setViewportWidth(width);
    openQuotePage();
    await findQuoteHeading();
    expect(document.title).toBe(`${QUOTE.title} · Callout`);
    const days = width === 390 ? ['Valid until Apr 30, 2026', 'Created Mar 1, 2026'] : ['Apr 30, 2026', 'Mar 1, 2026'];
    for (const text of ['Draft', 'Q001234', ...days, 'Supply and install.', 'Heat pump']) expect(screen.getByText(text)).toBeDefined();
    expect(screen.getAllByText('$230.00').length).toBeGreaterThan(0);
    expect(await findLinkHref('Ana Rossi')).toBe(`/customers/${CUSTOMER.id}`);
    expect(await findLinkHref('021 555 123')).toBe('tel:021555123');
    expect(await findLinkHref('Email ana@example.com')).toBe('mailto:ana@example.com');
  });

  it('shows Quick Price without a customer and No expiry without an expiry date', async () => {
    openQuotePage({ customer: null, customer_id: null, valid_until: null, description: null });
    await findQuoteHeading();
    expect(screen.getByText('Quick Price')).toBeDefined();
    expect(screen.getByText('No expiry')).toBeDefined();
  });

  it.each([1440, 390])('lists sections with their lines and totals at %s px', async (width) => {
    setViewportWidth(width);
    openQuotePage(THREE_SECTION_QUOTE);
    await findQuoteHeading();
    const items = within(screen.getByRole('region', { name: 'Quote Items' }));
    expect([items.getAllByText('Required').length, items.getAllByText('Optional').length]).toEqual([1, 2]);
    for (const text of ['Towel rail', 'Outdoor tap', 'Frost free', '480.00', '72.00', '$552.00', 'GST 15%'])
      expect(items.getByText(text)).toBeDefined();
    expect(items.getByText(width === 390 ? '2 × 46.00' : '46.00')).toBeDefined();
    expect(items.queryByText('Rounding')).toBeNull();
  });

  it.each([
    [{ deposit_percentage: '30.00', deposit_amount: null }, 'Deposit on acceptance, 30%', '69.00'],
    [{ deposit_percentage: null, deposit_amount: '50.00' }, 'Deposit on acceptance', '50.00'],
  ])('shows the requested deposit: %o', async (deposit, label, amount) => {
    openQuotePage(deposit);
    await findQuoteHeading();
    expect(screen.getByRole('row', { name: `${label} ${amount}` })).toBeDefined();
  });

  it('shows the total with all options, then the accepted total', async () => {
    const { server, queryClient } = openQuotePage(THREE_SECTION_QUOTE);
    expect(await screen.findByText('inc GST, with all options')).toBeDefined();
    server.quote = { ...server.quote, ...ACCEPTED_QUOTE };
    await act(async () => queryClient.invalidateQueries({ queryKey: ['quotes'] }));
    const totalText = await screen.findByText('inc GST, accepted');
    expect(totalText.textContent).toBe('$322.00inc GST, accepted');
  });

  it('shows a rounding row when the rounded sections differ from the total', async () => {
    const smallSection = { ...QUOTE_SECTION, total_amount: '0.03', items: [{ ...QUOTE_ITEM, unit_price: '0.03', tax_inclusive: false }] };
    openQuotePage({ sections: [smallSection, { ...smallSection, id: OUTDOOR_TAP_SECTION.id }], total_amount: '0.07' });
    await findQuoteHeading();
    const row = screen.getByRole('row', { name: /^Rounding/ });
    expect(within(row).getByText('0.01')).toBeDefined();
    // The rounding row belongs to the sections above it: subtotal and tax add up to the total without it.
    expect(row.nextElementSibling?.textContent).toContain('Subtotal');
  });

  it('shows the estimated profit if the response includes it', async () => {
    openQuotePage();
    expect(await screen.findByRole('heading', { name: 'Estimated profit' })).toBeDefined();
    expect(screen.getByText('$80.00')).toBeDefined();
  });

  it.each([
    ['shows', 'as accepted', [], 1],
    ['hides', 'changed since', [QUOTE_SECTION.id], 0],
  ])('%s the estimated profit of a quote that is %s', async (_verb, _state, changed_section_ids, count) => {
    openQuotePage({ ...ACCEPTED_QUOTE, acceptance: { ...QUOTE_ACCEPTANCE, changed_section_ids } });
    await findQuoteHeading();
    expect(screen.queryAllByText('Estimated profit')).toHaveLength(count);
  });

  it('hides the estimated profit if the response omits it', async () => {
    const { estimated_profit: _, ...rest } = QUOTE;
    openQuotePage({}, { [`GET ${QUOTE_PATH}`]: () => rest }, 'staff');
    await findQuoteHeading();
    expect(screen.queryByText('Estimated profit')).toBeNull();
  });

  it('opens photos in the viewer and offers other files as downloads', async () => {
    const photo = { id: 'p', file_name: 'roof.jpg', file_size: 2048, file_type: 'image/jpeg', url: '/api/files/p', thumbnail_url: '/t' };
    const plan = {
      id: 'f',
      file_name: 'plan.pdf',
      file_size: 1536,
      file_type: 'application/pdf',
      url: '/api/files/f',
      thumbnail_url: null,
    };
    openQuotePage({ attachments: [photo, plan] });
    await findQuoteHeading();
    expect(screen.getByRole('link', { name: /plan.pdf/ }).getAttribute('href')).toBe('/api/files/f');
    await pressButton('Open roof.jpg');
    const viewer = await screen.findByRole('dialog', { name: 'roof.jpg' });
    expect(within(viewer).getByText(/^Q001234/)).toBeDefined();
  });

  it('shows Quote not found for an unknown quote', async () => {
    openQuotePage({}, { [`GET ${QUOTE_PATH}`]: () => failWith('NOT_FOUND', 'Quote not found') });
    expect(await screen.findByText('Quote not found')).toBeDefined();
    expect(await findLinkHref('All quotes')).toBe('/quotes');
  });

  it('shows why the quote failed to load and reloads it on Retry', async () => {
    const quoteResponse = { respond: (): unknown => failWith('FORBIDDEN') };
    openQuotePage({}, { [`GET ${QUOTE_PATH}`]: () => quoteResponse.respond() });
    expect(await screen.findByText('A failure on purpose')).toBeDefined();
    quoteResponse.respond = () => QUOTE;
    await pressButton('Retry');
    await findQuoteHeading();
  });

  it('shows changes by a colleague and stays readable after the quote is deleted', async () => {
    const quoteResponse = { respond: (): unknown => QUOTE };
    const { queryClient } = openQuotePage({}, { [`GET ${QUOTE_PATH}`]: () => quoteResponse.respond() });
    await findQuoteHeading();
    quoteResponse.respond = () => ({ ...QUOTE, ...SENT_QUOTE });
    await act(async () => queryClient.invalidateQueries({ queryKey: ['quotes'] }));
    expect(await screen.findByText('Sent')).toBeDefined();
    quoteResponse.respond = () => failWith('NOT_FOUND', 'Quote not found');
    await act(async () => queryClient.invalidateQueries({ queryKey: ['quotes'] }));
    expect(await screen.findByText('This quote has been deleted. This is the last saved version.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Accept Quote' })).toBeNull();
  });
});

describe('the primary action of a quote', () => {
  it.each<[string, Partial<Quote>, string[]]>([
    ['is Send Quote for a draft', {}, ['Send Quote']],
    ['is Accept Quote for a sent quote', SENT_QUOTE, ['Accept Quote']],
    ['is View Job for an accepted quote', ACCEPTED_QUOTE, ['View Job']],
    ['is missing for an expired quote', { ...SENT_QUOTE, shown_status: 'expired', is_actionable: false }, []],
    ['is missing for a rejected quote', { status: 'rejected', shown_status: 'rejected', is_actionable: false }, []],
  ])('%s', async (_name, change, expected) => {
    openQuotePage(change);
    await findQuoteHeading();
    expect(getPrimaryActions()).toEqual(expected);
  });

  it('links an accepted quote to its job', async () => {
    openQuotePage(ACCEPTED_QUOTE);
    expect(await findLinkHref('View Job')).toBe(`/jobs/${JOB.id}`);
  });

  it('lets accountants send a quote, but not accept or delete it', async () => {
    openQuotePage({}, {}, 'accountant');
    await findQuoteHeading();
    expect(getPrimaryActions()).toEqual(['Send Quote']);
    expect(screen.queryByRole('button', { name: 'Accept Quote' })).toBeNull();
    expect(await openMenuAndListItems()).toEqual(['Duplicate', 'Mark as Sent']);
  });

  it('lets staff preview a quote and copy its link, but not change it', async () => {
    openQuotePage(SENT_QUOTE, {}, 'staff');
    await findQuoteHeading();
    for (const name of ['Send Quote', 'Accept Quote', 'More actions']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    await findLinkHref('Preview');
    expect(screen.getByRole('button', { name: 'Copy Link' })).toBeDefined();
  });

  it('is shown beside Accept Quote on a draft', async () => {
    openQuotePage();
    expect(await screen.findByRole('button', { name: 'Accept Quote' })).toBeDefined();
  });
});

describe('quote actions', () => {
  it('link to the editor, the public page and the PDF', async () => {
    openQuotePage();
    expect(await findLinkHref('Edit')).toBe(`${QUOTE_PATH}/edit`);
    const preview = screen.getByRole('link', { name: 'Preview' });
    expect([preview.getAttribute('href'), preview.getAttribute('target')]).toEqual([QUOTE.public_path, '_blank']);
    expect(await findLinkHref('Download PDF')).toBe(`/api${QUOTE_PATH}/pdf`);
  });

  it('copy the public link', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    openQuotePage(SENT_QUOTE);
    await pressButton('Copy Link');
    await waitForToasts('Public quote link copied to clipboard');
    expect(copied).toEqual([`${window.location.origin}${QUOTE.public_path}`]);
  });

  it('stop offering Undo once the customer has accepted the quote that was marked as sent', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { server, queryClient } = openQuotePage(
      {},
      { [`PUT ${QUOTE_PATH}/status`]: () => (server.quote = { ...server.quote, status: 'sent', shown_status: 'sent' }) },
    );
    await pressButton('Copy Link');
    await screen.findByRole('button', { name: 'Undo' });
    server.quote = { ...server.quote, ...ACCEPTED_QUOTE };
    await act(() => queryClient.invalidateQueries());
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  });

  it('mark a draft as sent when its link is copied, and Undo makes it a draft again', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const sent: unknown[] = [];
    const { server } = openQuotePage(
      {},
      {
        [`PUT ${QUOTE_PATH}/status`]: (input) => {
          sent.push((input as { status: string }).status);
          const { status } = input as Pick<typeof QUOTE, 'status'>;
          server.quote = { ...server.quote, status, shown_status: status };
          return server.quote;
        },
      },
    );
    await pressButton('Copy Link');
    await waitFor(() => expect(getToasts()).toContain('Quote marked as SentUndo'));
    await waitFor(() => expect(getToasts()).toContain('Public quote link copied to clipboard'));
    expect(sent).toEqual(['sent']);
    await pressButton('Undo');
    await waitFor(() => expect(sent).toEqual(['sent', 'draft']));
  });

  it.each([
    ['staff, who may not change quotes', {}, 'staff'],
    ['a draft without items', { sections: [{ ...QUOTE.sections[0], items: [] }] }, 'admin'],
  ] as const)('copy the link without marking the quote as sent for %s', async (_case, change, role) => {
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    openQuotePage(change as Partial<Quote>, {}, role);
    await pressButton('Copy Link');
    await waitForToasts('Public quote link copied to clipboard');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('report that the browser blocked copying', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    openQuotePage();
    await pressButton('Copy Link');
    await waitForToasts('Your browser blocked copying. Open Preview and copy the link from there.');
    expect(await findLinkHref('Preview')).toBe(QUOTE.public_path);
  });

  it('retry a duplication with the same id, then open the copy in the editor', async () => {
    const requestedIds: string[] = [];
    const { path } = openQuotePage(
      {},
      {
        [`POST ${QUOTE_PATH}/duplicate`]: (input) => {
          const { new_id: id } = input as { new_id: string };
          requestedIds.push(id);
          return requestedIds.length === 1 ? failWith('UNAVAILABLE', 'Gone away') : { ...QUOTE, id };
        },
        'GET /quotes/{id}': () => QUOTE,
      },
    );
    await chooseMoreAction('Duplicate');
    await waitForToasts('Failed to duplicate quote: Gone away');
    await chooseMoreAction('Duplicate');
    await waitFor(() => expect(path()).toBe(`/quotes/${requestedIds[0]}/edit`));
    expect(requestedIds[1]).toBe(requestedIds[0]);
    await waitFor(() => expect(getToasts()).toContain('Quote duplicated successfully'));
  });

  it('mark a draft as sent and a sent quote as a draft', async () => {
    const { server } = openQuotePage(
      {},
      {
        [`PUT ${QUOTE_PATH}/status`]: (input) => {
          const { status } = input as Pick<Quote, 'status'>;
          server.quote = { ...server.quote, status, shown_status: status };
          return server.quote;
        },
      },
    );
    await chooseMoreAction('Mark as Sent');
    await waitForToasts('Quote status updated');
    expect(await screen.findByText('Sent')).toBeDefined();
    await chooseMoreAction('Mark as Draft');
    expect(await screen.findByText('Draft')).toBeDefined();
  });

  it('show why a status change failed', async () => {
    openQuotePage({}, { [`PUT ${QUOTE_PATH}/status`]: () => failWith('FORBIDDEN', 'No') });
    await chooseMoreAction('Mark as Sent');
    await waitForToasts('Failed to update quote status: No');
    expect(screen.getByText('Draft')).toBeDefined();
  });

  it('explain a failed status change of a quote that was already accepted', async () => {
    openQuotePage(
      {},
      { [`PUT ${QUOTE_PATH}/status`]: () => failWith('QUOTE_CLOSED', '', { status: 'accepted', job_number: 'J26030042' }) },
    );
    await chooseMoreAction('Mark as Sent');
    const text = 'Failed to update quote status: This quote was already accepted. Its job is #J26030042.';
    await waitFor(() => expect(getToasts()).toEqual([text]));
  });

  it('offer no status change for an accepted quote and explain what deleting it keeps', async () => {
    openQuotePage(ACCEPTED_QUOTE);
    await findQuoteHeading();
    expect(await openMenuAndListItems()).toEqual(['Duplicate', 'Delete']);
    await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' })));
    expect(await screen.findByText("Its job and the accepted copy won't be deleted.")).toBeDefined();
  });

  it('delete the quote after a confirmation and open the quote list', async () => {
    const { path } = openQuotePage({}, { [`DELETE ${QUOTE_PATH}`]: () => ({}) });
    await chooseMoreAction('Delete');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete Quote' }));
    expect(dialog.getByText('Are you sure you want to delete this quote? This action cannot be undone.')).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDefined();
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Delete Quote' })));
    await waitForToasts('Quote deleted successfully');
    await waitFor(() => expect(path()).toBe('/quotes'));
  });

  it('show why deleting failed and stay on the page', async () => {
    const { path } = openQuotePage({}, { [`DELETE ${QUOTE_PATH}`]: () => failWith('FORBIDDEN', 'No') });
    await chooseMoreAction('Delete');
    const dialog = within(await screen.findByRole('alertdialog'));
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Delete Quote' })));
    await waitForToasts('Failed to delete quote: No');
    expect(path()).toBe(QUOTE_PATH);
  });
});
