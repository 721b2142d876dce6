import type { Quote } from '@callout/contract/quotes';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { press, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import { ACCEPTED, choose, hrefOf, OUTDOOR_TAP, openQuote, QUOTE_PATH, quoteHeading, SENT, THREE_SECTIONS } from './open-quote.ts';
import { CUSTOMER, JOB, QUOTE, QUOTE_ITEM, QUOTE_SECTION } from './people.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setWidth(1024);
  vi.restoreAllMocks();
});

const filled = () =>
  [...screen.getByRole('main').querySelectorAll('[class*="bg-accent "]')].map(({ textContent }) => textContent).filter(Boolean);
const menuItems = async () => {
  await press('More actions');
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
};

describe('a quote', () => {
  it.each([1440, 390])('says for whom, how much, until when and what at %s px', async (width) => {
    setWidth(width);
    openQuote();
    await quoteHeading();
    expect(document.title).toBe(`${QUOTE.title} · Callout`);
    const days = width === 390 ? ['Valid until Apr 30, 2026', 'Created Mar 1, 2026'] : ['Apr 30, 2026', 'Mar 1, 2026'];
    for (const text of ['Draft', 'Q001234', ...days, 'Supply and install.', 'Heat pump']) expect(screen.getByText(text)).toBeDefined();
    expect(screen.getAllByText('$230.00').length).toBeGreaterThan(0);
    expect(await hrefOf('Ana Rossi')).toBe(`/customers/${CUSTOMER.id}`);
    expect(await hrefOf('021 555 123')).toBe('tel:021555123');
    expect(await hrefOf('Email ana@example.com')).toBe('mailto:ana@example.com');
  });

  it('without a customer is a Quick Price, and without a last day has no end date', async () => {
    openQuote({ customer: null, customer_id: null, valid_until: null, description: null });
    await quoteHeading();
    expect(screen.getByText('Quick Price')).toBeDefined();
    expect(screen.getByText('No expiry')).toBeDefined();
  });

  it.each([1440, 390])('lists its sections with lines and totals at %s px', async (width) => {
    setWidth(width);
    openQuote(THREE_SECTIONS);
    await quoteHeading();
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
  ])('says which deposit it asks for: %o', async (deposit, label, amount) => {
    openQuote(deposit);
    await quoteHeading();
    expect(screen.getByRole('row', { name: `${label} ${amount}` })).toBeDefined();
  });

  it('says that its total is with all options, and once accepted what of', async () => {
    const { server, queryClient } = openQuote(THREE_SECTIONS);
    expect(await screen.findByText('inc GST, with all options')).toBeDefined();
    server.quote = { ...server.quote, ...ACCEPTED };
    await act(async () => queryClient.invalidateQueries({ queryKey: ['quotes'] }));
    const fact = await screen.findByText('inc GST, accepted');
    expect(fact.textContent).toBe('$322.00inc GST, accepted');
  });

  it('prints the cent that its rounded sections lose', async () => {
    const small = { ...QUOTE_SECTION, total_amount: '0.03', items: [{ ...QUOTE_ITEM, unit_price: '0.03', tax_inclusive: false }] };
    openQuote({ sections: [small, { ...small, id: OUTDOOR_TAP.id }], total_amount: '0.07' });
    await quoteHeading();
    const row = screen.getByRole('row', { name: /^Rounding/ });
    expect(within(row).getByText('0.01')).toBeDefined();
    // Below the sections that it rounds: subtotal and tax are the total without it.
    expect(row.nextElementSibling?.textContent).toContain('Subtotal');
  });

  it('shows the estimated profit only to those whom the server tells it', async () => {
    openQuote();
    expect(await screen.findByRole('heading', { name: 'Estimated profit' })).toBeDefined();
    expect(screen.getByText('$80.00')).toBeDefined();
  });

  it('has no estimated profit where there is none in the payload', async () => {
    const { estimated_profit: _, ...rest } = QUOTE;
    openQuote({}, { [`GET ${QUOTE_PATH}`]: () => rest }, 'staff');
    await quoteHeading();
    expect(screen.queryByText('Estimated profit')).toBeNull();
  });

  it('shows pictures in the viewer and lets other files be downloaded', async () => {
    const photo = { id: 'p', file_name: 'roof.jpg', file_size: 2048, file_type: 'image/jpeg', url: '/api/files/p', thumbnail_url: '/t' };
    const plan = {
      id: 'f',
      file_name: 'plan.pdf',
      file_size: 1536,
      file_type: 'application/pdf',
      url: '/api/files/f',
      thumbnail_url: null,
    };
    openQuote({ attachments: [photo, plan] });
    await quoteHeading();
    expect(screen.getByRole('link', { name: /plan.pdf/ }).getAttribute('href')).toBe('/api/files/f');
    await press('Open roof.jpg');
    const viewer = await screen.findByRole('dialog', { name: 'roof.jpg' });
    expect(within(viewer).getByText(/^Q001234/)).toBeDefined();
  });

  it('that does not exist is not found', async () => {
    openQuote({}, { [`GET ${QUOTE_PATH}`]: () => refuse('NOT_FOUND', 'Quote not found') });
    expect(await screen.findByText('Quote not found')).toBeDefined();
    expect(await hrefOf('All quotes')).toBe('/quotes');
  });

  it('that cannot be read says why and is read again on request', async () => {
    const read = { answer: (): unknown => refuse('FORBIDDEN') };
    openQuote({}, { [`GET ${QUOTE_PATH}`]: () => read.answer() });
    expect(await screen.findByText('A failure on purpose')).toBeDefined();
    read.answer = () => QUOTE;
    await press('Retry');
    await quoteHeading();
  });

  it('that a colleague changes follows, and stays readable when it is deleted', async () => {
    const read = { answer: (): unknown => QUOTE };
    const { queryClient } = openQuote({}, { [`GET ${QUOTE_PATH}`]: () => read.answer() });
    await quoteHeading();
    read.answer = () => ({ ...QUOTE, ...SENT });
    await act(async () => queryClient.invalidateQueries({ queryKey: ['quotes'] }));
    expect(await screen.findByText('Sent')).toBeDefined();
    read.answer = () => refuse('NOT_FOUND', 'Quote not found');
    await act(async () => queryClient.invalidateQueries({ queryKey: ['quotes'] }));
    expect(await screen.findByText('This quote has been deleted. This is its last version.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Accept Quote' })).toBeNull();
  });
});

describe('the next step', () => {
  it.each<[string, Partial<Quote>, string[]]>([
    ['of a draft is Send Quote', {}, ['Send Quote']],
    ['of a sent quote is Accept Quote', SENT, ['Accept Quote']],
    ['of an accepted one is View Job', ACCEPTED, ['View Job']],
    ['of an expired one is none', { ...SENT, shown_status: 'expired', is_actionable: false }, []],
    ['of a rejected one is none', { status: 'rejected', shown_status: 'rejected', is_actionable: false }, []],
  ])('%s', async (_name, change, expected) => {
    openQuote(change);
    await quoteHeading();
    expect(filled()).toEqual(expected);
  });

  it('of an accepted quote leads to its job', async () => {
    openQuote(ACCEPTED);
    expect(await hrefOf('View Job')).toBe(`/jobs/${JOB.id}`);
  });

  it('accountants send, but do not accept or delete', async () => {
    openQuote({}, {}, 'accountant');
    await quoteHeading();
    expect(filled()).toEqual(['Send Quote']);
    expect(screen.queryByRole('button', { name: 'Accept Quote' })).toBeNull();
    expect(await menuItems()).toEqual(['Duplicate', 'Mark as Sent']);
  });

  it('staff look, preview and copy', async () => {
    openQuote(SENT, {}, 'staff');
    await quoteHeading();
    for (const name of ['Send Quote', 'Accept Quote', 'More actions']) expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
    await hrefOf('Preview');
    expect(screen.getByRole('button', { name: 'Copy Link' })).toBeDefined();
  });

  it('a draft can be accepted as well', async () => {
    openQuote();
    expect(await screen.findByRole('button', { name: 'Accept Quote' })).toBeDefined();
  });
});

describe('the actions', () => {
  it('lead to the editor, the public page and the PDF', async () => {
    openQuote();
    expect(await hrefOf('Edit')).toBe(`${QUOTE_PATH}/edit`);
    const preview = screen.getByRole('link', { name: 'Preview' });
    expect([preview.getAttribute('href'), preview.getAttribute('target')]).toEqual([QUOTE.public_path, '_blank']);
    expect(await hrefOf('Download PDF')).toBe(`/api${QUOTE_PATH}/pdf`);
  });

  it('copy the public link', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    openQuote();
    await press('Copy Link');
    await waitForToasts('Public quote link copied to clipboard');
    expect(copied).toEqual([`${window.location.origin}${QUOTE.public_path}`]);
  });

  it('say so when the browser forbids copying', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    openQuote();
    await press('Copy Link');
    await waitForToasts('Your browser blocked copying. Open Preview and copy the link from there.');
    expect(await hrefOf('Preview')).toBe(QUOTE.public_path);
  });

  it('duplicate a quote once, also when the answer was lost, and go on to edit the copy', async () => {
    const asked: string[] = [];
    const { path } = openQuote(
      {},
      {
        [`POST ${QUOTE_PATH}/duplicate`]: (input) => {
          const { new_id: id } = input as { new_id: string };
          asked.push(id);
          return asked.length === 1 ? refuse('UNAVAILABLE', 'Gone away') : { ...QUOTE, id };
        },
        'GET /quotes/{id}': () => QUOTE,
      },
    );
    await choose('Duplicate');
    await waitForToasts('Failed to duplicate quote: Gone away');
    await choose('Duplicate');
    await waitFor(() => expect(path()).toBe(`/quotes/${asked[0]}/edit`));
    expect(asked[1]).toBe(asked[0]);
    expect(toastTexts()).toContain('Quote duplicated successfully');
  });

  it('mark a draft as sent, and a sent quote as draft', async () => {
    const { server } = openQuote(
      {},
      {
        [`PUT ${QUOTE_PATH}/status`]: (input) => {
          const { status } = input as Pick<Quote, 'status'>;
          server.quote = { ...server.quote, status, shown_status: status };
          return server.quote;
        },
      },
    );
    await choose('Mark as Sent');
    await waitForToasts('Quote status updated');
    expect(await screen.findByText('Sent')).toBeDefined();
    await choose('Mark as Draft');
    expect(await screen.findByText('Draft')).toBeDefined();
  });

  it('that cannot change the status say why', async () => {
    openQuote({}, { [`PUT ${QUOTE_PATH}/status`]: () => refuse('FORBIDDEN', 'No') });
    await choose('Mark as Sent');
    await waitForToasts('Failed to update quote status: No');
    expect(screen.getByText('Draft')).toBeDefined();
  });

  it('say what happened to a quote that was answered meanwhile', async () => {
    openQuote({}, { [`PUT ${QUOTE_PATH}/status`]: () => refuse('QUOTE_CLOSED', '', { status: 'accepted', job_number: 'J26030042' }) });
    await choose('Mark as Sent');
    const text = 'Failed to update quote status: This quote was already accepted. Its job is #J26030042.';
    await waitFor(() => expect(toastTexts()).toEqual([text]));
  });

  it('leave an accepted quote its status, and say what its deletion keeps', async () => {
    openQuote(ACCEPTED);
    await quoteHeading();
    expect(await menuItems()).toEqual(['Duplicate', 'Delete']);
    await act(async () => fireEvent.click(screen.getByRole('menuitem', { name: 'Delete' })));
    expect(await screen.findByText('Its job and the copy that was accepted are kept.')).toBeDefined();
  });

  it('delete after a question, and lead to the list', async () => {
    const { path } = openQuote({}, { [`DELETE ${QUOTE_PATH}`]: () => ({}) });
    await choose('Delete');
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete Quote' }));
    expect(question.getByText('Are you sure you want to delete this quote? This action cannot be undone.')).toBeDefined();
    expect(question.getByRole('button', { name: 'Cancel' })).toBeDefined();
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete Quote' })));
    await waitForToasts('Quote deleted successfully');
    await waitFor(() => expect(path()).toBe('/quotes'));
  });

  it('that cannot delete say why, and stay', async () => {
    const { path } = openQuote({}, { [`DELETE ${QUOTE_PATH}`]: () => refuse('FORBIDDEN', 'No') });
    await choose('Delete');
    const question = within(await screen.findByRole('alertdialog'));
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete Quote' })));
    await waitForToasts('Failed to delete quote: No');
    expect(path()).toBe(QUOTE_PATH);
  });
});
