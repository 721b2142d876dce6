import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { getQuoteStatusTone } from '../src/features/quotes/quote-status.ts';
import { NO_CONNECTION_MESSAGE, UNEXPECTED_ERROR_MESSAGE } from '../src/lib/request.ts';
import { failWith, pressButton } from './open-page.tsx';
import {
  buildAcceptedQuote,
  buildClosedQuote,
  buildPublicQuote,
  buildSection,
  findSectionCard,
  getHeaderTotal,
  getTableRows,
  HOT_WATER_ID,
  OUTDOOR_TAP_ID,
  openPublicQuote,
  PUBLIC_QUOTE_PATH,
  QUOTE_CONTENT,
  TOWEL_RAILS_ID,
} from './open-public-quote.tsx';

const NOT_FOUND_MESSAGE = "The quote you're looking for doesn't exist or has been removed.";
const getSummary = () => screen.getByRole('heading', { name: 'Your Quote Summary' }).closest('section');
const toggleSection = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }));
const getPdfHref = () => screen.getByRole('link', { name: 'Download PDF' }).getAttribute('href');

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('loading a public quote', () => {
  it('shows a loading message', async () => {
    const response = Promise.withResolvers<unknown>();
    openPublicQuote(() => response.promise);
    expect(screen.getByText('Loading quote...')).toBeDefined();
    response.resolve(buildPublicQuote());
    expect(await screen.findByRole('heading', { name: 'Gas hot water', level: 1 })).toBeDefined();
    expect(screen.queryByText('Loading quote...')).toBeNull();
    await waitFor(() => expect(document.title).toBe('Gas hot water · Tāne Plumbing & Gas'));
  });

  it('shows a not-found page for a missing quote, without a Retry button', async () => {
    openPublicQuote(() => failWith('NOT_FOUND', NOT_FOUND_MESSAGE));
    expect(await screen.findByRole('heading', { name: 'Quote Not Found' })).toBeDefined();
    expect(screen.getByText(NOT_FOUND_MESSAGE)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), NO_CONNECTION_MESSAGE],
    [
      'a server error',
      () => failWith('INTERNAL', '', { reference: '4f1c2a9b8d3e' }),
      `${UNEXPECTED_ERROR_MESSAGE} Reference: 4f1c2a9b8d3e`,
    ],
  ])('shows the reason and offers a retry after %s', async (_name, fail, reason) => {
    const responses = [fail, () => buildPublicQuote()];
    openPublicQuote(() => responses.shift()?.());
    expect(await screen.findByRole('heading', { name: 'Quote Not Found' })).toBeDefined();
    expect([screen.getByText(NOT_FOUND_MESSAGE), screen.getByText(reason)]).toHaveLength(2);
    await pressButton('Try again');
    expect(await screen.findByRole('heading', { name: 'Gas hot water', level: 1 })).toBeDefined();
  });
});

describe('public quote header', () => {
  it('shows title, status, number, dates and total', async () => {
    openPublicQuote(buildPublicQuote({}, { status: 'draft' }));
    await screen.findByRole('heading', { name: 'Gas hot water', level: 1 });
    expect(screen.getByText('Draft')).toBeDefined();
    expect(screen.getByText('Q001234 · Jan 5, 2025')).toBeDefined();
    expect(screen.getByText('Valid until Feb 28, 2025')).toBeDefined();
    expect(getHeaderTotal()).toBe('Total inc GST$230.00');
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.queryByRole('region', { name: 'Description' })).toBeNull();
  });

  it('shows the logo at 30% width, at most 200 px high, and the description', async () => {
    openPublicQuote(buildPublicQuote({ description: 'Replaces the cylinder.', valid_until: null }, { logo_url: '/logo.png' }));
    const logo = await screen.findByRole('img', { name: 'Tāne Plumbing & Gas' });
    expect(logo.className).toMatch(/max-h-\[200px\] w-\[30%\]/);
    expect(screen.getByRole('region', { name: 'Description' }).textContent).toBe('Replaces the cylinder.');
    expect(screen.queryByText(/Valid until/)).toBeNull();
  });

  it('shows that the quote has expired', async () => {
    openPublicQuote(buildClosedQuote('expired'));
    expect(await screen.findByText('Valid until Feb 28, 2025 (Expired)')).toBeDefined();
    expect(screen.getByText('Expired')).toBeDefined();
  });

  it.each([
    ['draft', 'neutral'],
    ['sent', 'info'],
    ['accepted', 'ok'],
    ['rejected', 'danger'],
    ['expired', 'warn'],
    ['on hold', 'neutral'],
    ['constructor', 'neutral'],
  ])('colors the status %s as %s', (status, tone) => {
    expect(getQuoteStatusTone(status)).toBe(tone);
  });

  it('shows the issuer and the customer', async () => {
    openPublicQuote(buildPublicQuote({ customer: { name: 'Helen Faleolo', company_name: 'Faleolo Builders' } }));
    const from = await screen.findByRole('region', { name: 'From' });
    expect(from.textContent).toBe('FromTāne Plumbing & Gas12 Karangahape Road09 555 0100office@example.com');
    expect(
      within(from)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['tel:095550100', 'mailto:office@example.com']);
    expect(screen.getByRole('region', { name: 'Prepared for' }).textContent).toBe('Prepared forFaleolo BuildersHelen Faleolo');
  });
});

describe('quote options', () => {
  it('show a hint and one card each, with required sections locked', async () => {
    openPublicQuote(buildPublicQuote());
    expect((await findSectionCard('Gas hot water')).textContent).toContain('Required');
    expect(
      screen.getByText(
        'Required sections are included automatically. Choose at least one optional section. The total updates as you choose.',
      ),
    ).toBeDefined();
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)).toEqual([false, false]);
    expect(screen.queryByRole('checkbox', { name: 'Gas hot water' })).toBeNull();
    const rails = await findSectionCard('Towel rails');
    expect(within(rails).getByText('Optional')).toBeDefined();
    expect(within(rails).getByText('Two rails')).toBeDefined();
  });

  it('list items with their prices and tax, and the section total', async () => {
    openPublicQuote(buildPublicQuote());
    expect(getTableRows(await findSectionCard('Outdoor tap'))).toEqual([
      'Tap1 × 57.50 each | 57.50 | inc GST',
      'Fitting itServiceOn the deck3 × 10.00 each | 30.00 | exc GST',
      'Subtotal | 80.00',
      'GST 15% | 12.00',
      'Total | $92.00',
    ]);
  });

  it('show only the section total if rounded subtotals may not add up', async () => {
    openPublicQuote(buildPublicQuote({ tax_rate: '12.5' }));
    const rows = getTableRows(await findSectionCard('Outdoor tap'));
    expect(rows.at(-1)).toBe('Total inc GST | $91.25');
    expect(rows.join()).not.toMatch(/Subtotal|12\.5%/);
    expect(getTableRows(getSummary()).join()).toContain('GST 12.5%');
  });

  it.each([
    [[], '$230.00'],
    [['Towel rails'], '$460.00'],
    [['Outdoor tap'], '$322.00'],
    [['Towel rails', 'Outdoor tap'], '$552.00'],
  ])('update every total on the page: selecting %j gives %s', async (names, total) => {
    openPublicQuote(buildPublicQuote());
    await findSectionCard('Gas hot water');
    for (const name of names) toggleSection(name);
    expect(getHeaderTotal()).toBe(`Total inc GST${total}`);
    expect(getTableRows(getSummary()).at(-1)).toBe(`TOTAL PRICE: | ${total}`);
    expect(screen.getByRole('button', { name: `Accept Quote - ${total}` })).toBeDefined();
  });

  it('appear in the summary and the PDF link as selected', async () => {
    openPublicQuote(buildPublicQuote());
    const rails = await findSectionCard('Towel rails');
    toggleSection('Towel rails');
    expect(rails.getAttribute('data-choice')).toBe('selected');
    expect(within(rails).getByText('Selected')).toBeDefined();
    expect(getTableRows(getSummary())).toEqual([
      'Gas hot waterRequired | $230.00',
      'Towel railsSelected | $230.00',
      'Outdoor tap | Not Selected',
      'Subtotal | 400.00',
      'GST 15% | 60.00',
      'TOTAL PRICE: | $460.00',
    ]);
    expect(getPdfHref()).toBe(`/api${PUBLIC_QUOTE_PATH}/pdf?sections=${HOT_WATER_ID},${TOWEL_RAILS_ID}`);
    toggleSection('Towel rails');
    expect(within(rails).getByText('Optional')).toBeDefined();
    expect(getPdfHref()).toBe(`/api${PUBLIC_QUOTE_PATH}/pdf?sections=${HOT_WATER_ID}`);
  });

  it('show the rounding difference of one cent', async () => {
    const small = (id: string) => buildSection(id, id, true, [{ ...WASHER_ITEM }]);
    openPublicQuote(buildPublicQuote({ sections: [small(HOT_WATER_ID), small(TOWEL_RAILS_ID)] }));
    await screen.findByText('Your Quote Summary');
    expect(getTableRows(getSummary())).toContain('Rounding | 0.01');
    expect(getHeaderTotal()).toBe('Total inc GST$0.07');
  });

  it('expand and collapse their items', async () => {
    openPublicQuote(buildPublicQuote());
    const items = within(await findSectionCard('Outdoor tap')).getByRole('button', { name: '2 items of Outdoor tap' });
    expect(items.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(items);
    expect(items.getAttribute('aria-expanded')).toBe('false');
    expect(document.getElementById(items.getAttribute('aria-controls') ?? '')?.className).toContain('hidden print:block');
  });

  it.each(['expired', 'rejected'] as const)('cannot be selected once the quote is %s', async (status) => {
    openPublicQuote(buildClosedQuote(status));
    await findSectionCard('Towel rails');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByText(/Choose at least one optional section/)).toBeNull();
    expect(within(await findSectionCard('Towel rails')).getByText('Optional')).toBeDefined();
  });
});

const WASHER_ITEM = { name: 'Washer', description: null, is_service: false, tax_inclusive: false, quantity: '1', unit_price: '0.03' };

describe('quote without options', () => {
  const [first] = QUOTE_CONTENT.sections;

  it('lists its items and their total', async () => {
    openPublicQuote(buildPublicQuote({ sections: first ? [first] : [] }));
    const items = await screen.findByRole('region', { name: 'Quote Items' });
    expect(getTableRows(items)).toEqual([
      'Water heater1 × 230.00 each | 230.00 | inc GST',
      'Subtotal | 200.00',
      'GST 15% | 30.00',
      'Total | $230.00',
    ]);
    expect(screen.queryByText('Quote Options')).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Accept Quote - $230.00' }).disabled).toBe(false);
  });

  it('shows a message when the quote has no items', async () => {
    openPublicQuote(buildPublicQuote({ sections: [buildSection(HOT_WATER_ID, 'Items & Services', true, [])] }));
    expect(await screen.findByText('No items included')).toBeDefined();
  });

  it('includes its only section without a checkbox, even if that section is optional', async () => {
    openPublicQuote(buildPublicQuote({ sections: QUOTE_CONTENT.sections.slice(1, 2) }));
    expect(await screen.findByRole('region', { name: 'Quote Items' })).toBeDefined();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByText(/optional ones you want/)).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Accept Quote - / }).disabled).toBe(false);
  });
});

it('lists attachments with a thumbnail or an icon and opens them in a new tab', async () => {
  const file = { id: OUTDOOR_TAP_ID, file_size: 1536, url: '/api/files/1' };
  openPublicQuote(
    buildPublicQuote(
      {},
      {
        attachments: [
          { ...file, file_name: 'plan.pdf', file_type: 'application/pdf', thumbnail_url: null },
          { ...file, id: HOT_WATER_ID, file_name: 'leak.png', file_type: 'image/png', thumbnail_url: '/api/files/2/thumbnail' },
        ],
      },
    ),
  );
  const list = await screen.findByRole('region', { name: 'Quote Attachments' });
  const [plan, leak] = within(list).getAllByRole('link');
  expect(plan?.textContent).toBe('plan.pdf1.5 KBopens in a new tab');
  expect([plan?.getAttribute('href'), plan?.getAttribute('target'), plan?.getAttribute('rel')]).toEqual([
    '/api/files/1',
    '_blank',
    'noreferrer',
  ]);
  expect(plan?.querySelector('[data-icon=document]')).not.toBeNull();
  expect(leak?.querySelector('img')?.getAttribute('src')).toBe('/api/files/2/thumbnail');
});

describe('public quote footer', () => {
  it.each([
    [buildAcceptedQuote([TOWEL_RAILS_ID]), 'Quote Accepted - Thank you!'],
    [buildClosedQuote('rejected'), 'Quote Rejected'],
    [buildClosedQuote('expired'), 'Quote Expired'],
    [{ ...buildClosedQuote('sent') }, 'This quote is no longer available for acceptance.'],
  ])('explains why the quote can no longer be answered: %#', async (quote, text) => {
    openPublicQuote(quote);
    expect(await screen.findByText(text)).toBeDefined();
    expect(screen.queryByText('Ready to Get Started?')).toBeNull();
    expect(screen.queryByRole('button', { name: /Accept Quote|Not Interested/ })).toBeNull();
  });

  it('links to the Callout app on this server', async () => {
    openPublicQuote(buildPublicQuote());
    const link = await screen.findByRole('link', { name: 'Callout' });
    expect(link.parentElement?.textContent).toBe('Powered by Callout');
    expect(link.getAttribute('href')).toBe('/');
  });
});

describe('public quote page', () => {
  const open = (response = vi.fn(() => ({}))) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    openPublicQuote(buildPublicQuote(), { [`POST ${PUBLIC_QUOTE_PATH}/opened`]: response });
    return response;
  };

  it('reports the quote as opened once, after two visible seconds', async () => {
    const reported = open();
    await findSectionCard('Gas hot water');
    expect(reported).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reported).toHaveBeenCalledTimes(1);
  });

  it('does not report the quote as opened while the tab is hidden', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const reported = open();
    await findSectionCard('Gas hot water');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reported).not.toHaveBeenCalled();
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
  });

  it('shows no error when the open report fails', async () => {
    const reported = open(vi.fn(() => failWith('UNAVAILABLE')));
    await findSectionCard('Gas hot water');
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('quote deposit', () => {
  const HALF = { deposit_percentage: '50', deposit_amount: null };

  it('is part of the summary and changes with the selection', async () => {
    openPublicQuote(buildPublicQuote({ deposit: HALF }));
    await findSectionCard('Towel rails');
    const before = getTableRows(getSummary()).at(-1);
    toggleSection('Towel rails');
    const after = getTableRows(getSummary()).at(-1);
    expect([before, after]).toEqual([
      expect.stringMatching(/^Deposit on acceptance \| \$/),
      expect.stringMatching(/^Deposit on acceptance \| \$/),
    ]);
    expect(after).not.toBe(before);
  });

  it('appears below the total of a quote without options', async () => {
    openPublicQuote(buildPublicQuote({ deposit: HALF, sections: QUOTE_CONTENT.sections.slice(0, 1) }));
    expect(getTableRows((await screen.findByRole('table')).parentElement).at(-1)).toBe('Deposit on acceptance | $115.00');
  });

  it('is not mentioned when none is requested', async () => {
    openPublicQuote(buildPublicQuote());
    await findSectionCard('Towel rails');
    expect(screen.queryByText('Deposit on acceptance')).toBeNull();
  });

  it('links to the invoice page after acceptance until the deposit is paid', async () => {
    const accepted = buildAcceptedQuote([HOT_WATER_ID, TOWEL_RAILS_ID], true, { ...QUOTE_CONTENT, deposit: HALF });
    const responses = [{ ...accepted, deposit_path: '/invoice/AbCdEf123456' }, accepted];
    const { reopen } = openPublicQuote(() => responses.shift());
    const link = await screen.findByRole('link', { name: 'Pay deposit' });
    expect(link.getAttribute('href')).toBe('/invoice/AbCdEf123456');
    reopen();
    await screen.findByRole('heading', { name: 'Quote Accepted!' });
    expect(screen.queryByRole('link', { name: 'Pay deposit' })).toBeNull();
  });
});
