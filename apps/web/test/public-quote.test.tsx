import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { statusTone } from '../src/features/quotes/quote-status.ts';
import { NO_CONNECTION, UNEXPECTED } from '../src/lib/request.ts';
import { press, refuse } from './open-page.tsx';
import {
  acceptedQuote,
  CALL,
  CONTENT,
  cardOf,
  closedQuote,
  HOT,
  headerTotal,
  openPublicQuote,
  publicQuote,
  RAILS,
  rowsIn,
  section,
  TAP,
} from './open-public-quote.tsx';

const MISSING = "The quote you're looking for doesn't exist or has been removed.";
const summary = () => screen.getByRole('heading', { name: 'Your Quote Summary' }).closest('section');
const toggle = (name: string) => fireEvent.click(screen.getByRole('checkbox', { name }));
const pdfLink = () => screen.getByRole('link', { name: 'Download PDF' }).getAttribute('href');

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('reading a quote', () => {
  it('says that it is loading', async () => {
    const answer = Promise.withResolvers<unknown>();
    openPublicQuote(() => answer.promise);
    expect(screen.getByText('Loading quote...')).toBeDefined();
    answer.resolve(publicQuote());
    expect(await screen.findByRole('heading', { name: 'Gas hot water', level: 1 })).toBeDefined();
    expect(screen.queryByText('Loading quote...')).toBeNull();
    await waitFor(() => expect(document.title).toBe('Gas hot water · Tāne Plumbing & Gas'));
  });

  it('says that a quote does not exist, without offering to try again', async () => {
    openPublicQuote(() => refuse('NOT_FOUND', MISSING));
    expect(await screen.findByRole('heading', { name: 'Quote Not Found' })).toBeDefined();
    expect(screen.getByText(MISSING)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), NO_CONNECTION],
    ['an error of the server', () => refuse('INTERNAL'), UNEXPECTED],
  ])('shows the same with the reason after %s, and tries again', async (_name, fail, reason) => {
    const answers = [fail, () => publicQuote()];
    openPublicQuote(() => answers.shift()?.());
    expect(await screen.findByRole('heading', { name: 'Quote Not Found' })).toBeDefined();
    expect([screen.getByText(MISSING), screen.getByText(reason)]).toHaveLength(2);
    await press('Try again');
    expect(await screen.findByRole('heading', { name: 'Gas hot water', level: 1 })).toBeDefined();
  });
});

describe('the head of a quote', () => {
  it('has the title, the status, the number, the dates and the total', async () => {
    openPublicQuote(publicQuote({}, { status: 'draft' }));
    await screen.findByRole('heading', { name: 'Gas hot water', level: 1 });
    expect(screen.getByText('Draft')).toBeDefined();
    expect(screen.getByText('Q001234 · Jan 5, 2025')).toBeDefined();
    expect(screen.getByText('Valid until Feb 28, 2025')).toBeDefined();
    expect(headerTotal()).toBe('Total inc GST$230.00');
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.queryByRole('region', { name: 'Description' })).toBeNull();
  });

  it('has the logo at 30 % of the width and at most 200 px, and the description', async () => {
    openPublicQuote(publicQuote({ description: 'Replaces the cylinder.', valid_until: null }, { logo_url: '/logo.png' }));
    const logo = await screen.findByRole('img', { name: 'Tāne Plumbing & Gas' });
    expect(logo.className).toMatch(/max-h-\[200px\] w-\[30%\]/);
    expect(screen.getByRole('region', { name: 'Description' }).textContent).toBe('Replaces the cylinder.');
    expect(screen.queryByText(/Valid until/)).toBeNull();
  });

  it('says that the last day has passed', async () => {
    openPublicQuote(closedQuote('expired'));
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
  ])('colors %s as %s', (status, tone) => {
    expect(statusTone(status)).toBe(tone);
  });

  it('says whom it is from and whom it is for', async () => {
    openPublicQuote(publicQuote({ customer: { name: 'Helen Faleolo', company_name: 'Faleolo Builders' } }));
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

describe('the options', () => {
  it('have a hint, a card each, and the required ones are locked', async () => {
    openPublicQuote(publicQuote());
    expect((await cardOf('Gas hot water')).textContent).toContain('Required');
    expect(
      screen.getByText(
        'Required sections are included automatically. Choose at least one optional section. The total updates as you choose.',
      ),
    ).toBeDefined();
    expect(screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked)).toEqual([false, false]);
    expect(screen.queryByRole('checkbox', { name: 'Gas hot water' })).toBeNull();
    const rails = await cardOf('Towel rails');
    expect(within(rails).getByText('Optional')).toBeDefined();
    expect(within(rails).getByText('Two rails')).toBeDefined();
  });

  it('list items with service, description, quantity, price each, total and tax, and what the section adds up to', async () => {
    openPublicQuote(publicQuote());
    expect(rowsIn(await cardOf('Outdoor tap'))).toEqual([
      'Tap1 × 57.50 each | 57.50 | inc GST',
      'Fitting itServiceOn the deck3 × 10.00 each | 30.00 | exc GST',
      'Subtotal | 80.00',
      'GST 15% | 12.00',
      'Total | $92.00',
    ]);
  });

  it.each([
    [[], '$230.00'],
    [['Towel rails'], '$460.00'],
    [['Outdoor tap'], '$322.00'],
    [['Towel rails', 'Outdoor tap'], '$552.00'],
  ])('cost with %j of them %s, everywhere on the page', async (names, total) => {
    openPublicQuote(publicQuote());
    await cardOf('Gas hot water');
    for (const name of names) toggle(name);
    expect(headerTotal()).toBe(`Total inc GST${total}`);
    expect(rowsIn(summary()).at(-1)).toBe(`TOTAL PRICE: | ${total}`);
    expect(screen.getByRole('button', { name: `Accept Quote - ${total}` })).toBeDefined();
  });

  it('are named in the summary and in the PDF as they are selected', async () => {
    openPublicQuote(publicQuote());
    const rails = await cardOf('Towel rails');
    toggle('Towel rails');
    expect(rails.getAttribute('data-choice')).toBe('selected');
    expect(within(rails).getByText('Selected')).toBeDefined();
    expect(rowsIn(summary())).toEqual([
      'Gas hot waterRequired | $230.00',
      'Towel railsSelected | $230.00',
      'Outdoor tap | Not Selected',
      'Subtotal | 400.00',
      'GST 15% | 60.00',
      'TOTAL PRICE: | $460.00',
    ]);
    expect(pdfLink()).toBe(`/api${CALL}/pdf?sections=${HOT},${RAILS}`);
    toggle('Towel rails');
    expect(within(rails).getByText('Optional')).toBeDefined();
    expect(pdfLink()).toBe(`/api${CALL}/pdf?sections=${HOT}`);
  });

  it('show the cent that rounding makes', async () => {
    const small = (id: string) => section(id, id, true, [{ ...washer }]);
    openPublicQuote(publicQuote({ sections: [small(HOT), small(RAILS)] }));
    await screen.findByText('Your Quote Summary');
    expect(rowsIn(summary())).toContain('Rounding | 0.01');
    expect(headerTotal()).toBe('Total inc GST$0.07');
  });

  it('open and close their items', async () => {
    openPublicQuote(publicQuote());
    const items = within(await cardOf('Outdoor tap')).getByRole('button', { name: '2 items of Outdoor tap' });
    expect(items.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(items);
    expect(items.getAttribute('aria-expanded')).toBe('false');
    expect(document.getElementById(items.getAttribute('aria-controls') ?? '')?.className).toContain('hidden print:block');
  });

  it.each(['expired', 'rejected'] as const)('cannot be chosen any more once the quote is %s', async (status) => {
    openPublicQuote(closedQuote(status));
    await cardOf('Towel rails');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByText(/Choose at least one optional section/)).toBeNull();
    expect(within(await cardOf('Towel rails')).getByText('Optional')).toBeDefined();
  });
});

const washer = { name: 'Washer', description: null, is_service: false, tax_inclusive: false, quantity: '1', unit_price: '0.03' };

describe('a quote without options', () => {
  const [first] = CONTENT.sections;

  it('lists its items and what they add up to', async () => {
    openPublicQuote(publicQuote({ sections: first ? [first] : [] }));
    const items = await screen.findByRole('region', { name: 'Quote Items' });
    expect(rowsIn(items)).toEqual([
      'Water heater1 × 230.00 each | 230.00 | inc GST',
      'Subtotal | 200.00',
      'GST 15% | 30.00',
      'Total | $230.00',
    ]);
    expect(screen.queryByText('Quote Options')).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Accept Quote - $230.00' }).disabled).toBe(false);
  });

  it('says that it has no items', async () => {
    openPublicQuote(publicQuote({ sections: [section(HOT, 'Items & Services', true, [])] }));
    expect(await screen.findByText('No items included')).toBeDefined();
  });

  it('offers no choice where there is none: its only section counts, also when that is optional', async () => {
    openPublicQuote(publicQuote({ sections: CONTENT.sections.slice(1, 2) }));
    expect(await screen.findByRole('region', { name: 'Quote Items' })).toBeDefined();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByText(/optional ones you want/)).toBeNull();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Accept Quote - / }).disabled).toBe(false);
  });
});

it('lists attachments with a thumbnail or an icon, opened in a new tab', async () => {
  const file = { id: TAP, file_size: 1536, url: '/api/files/1' };
  openPublicQuote(
    publicQuote(
      {},
      {
        attachments: [
          { ...file, file_name: 'plan.pdf', file_type: 'application/pdf', thumbnail_url: null },
          { ...file, id: HOT, file_name: 'leak.png', file_type: 'image/png', thumbnail_url: '/api/files/2/thumbnail' },
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

describe('the end of the page', () => {
  it.each([
    [acceptedQuote([RAILS]), 'Quote Accepted - Thank you!'],
    [closedQuote('rejected'), 'Quote Rejected'],
    [closedQuote('expired'), 'Quote Expired'],
    [{ ...closedQuote('sent') }, 'This quote is no longer available for acceptance.'],
  ])('says why nothing can be done: %#', async (quote, text) => {
    openPublicQuote(quote);
    expect(await screen.findByText(text)).toBeDefined();
    expect(screen.queryByText('Ready to Get Started?')).toBeNull();
    expect(screen.queryByRole('button', { name: /Accept Quote|Not Interested/ })).toBeNull();
  });

  it('links to the product on this server', async () => {
    openPublicQuote(publicQuote());
    const link = await screen.findByRole('link', { name: 'Callout' });
    expect(link.parentElement?.textContent).toBe('Powered by Callout');
    expect(link.getAttribute('href')).toBe('/');
  });
});

describe('that a quote was opened', () => {
  const open = (answer = vi.fn(() => ({}))) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    openPublicQuote(publicQuote(), { [`POST ${CALL}/opened`]: answer });
    return answer;
  };

  it('is reported once, after it has been visible for two seconds', async () => {
    const reported = open();
    await cardOf('Gas hot water');
    expect(reported).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reported).toHaveBeenCalledTimes(1);
  });

  it('is not reported while nobody sees it', async () => {
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const reported = open();
    await cardOf('Gas hot water');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reported).not.toHaveBeenCalled();
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
  });

  it('does not trouble the customer when the report fails', async () => {
    const reported = open(vi.fn(() => refuse('UNAVAILABLE')));
    await cardOf('Gas hot water');
    await vi.advanceTimersByTimeAsync(2_000);
    await waitFor(() => expect(reported).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('a deposit', () => {
  const HALF = { deposit_percentage: '50', deposit_amount: null };

  it('is in the summary and follows the choice', async () => {
    openPublicQuote(publicQuote({ deposit: HALF }));
    await cardOf('Towel rails');
    const before = rowsIn(summary()).at(-1);
    toggle('Towel rails');
    const after = rowsIn(summary()).at(-1);
    expect([before, after]).toEqual([
      expect.stringMatching(/^Deposit on acceptance \| \$/),
      expect.stringMatching(/^Deposit on acceptance \| \$/),
    ]);
    expect(after).not.toBe(before);
  });

  it('stands below the total of a quote without a choice, and nowhere without one', async () => {
    openPublicQuote(publicQuote({ deposit: HALF, sections: CONTENT.sections.slice(0, 1) }));
    expect(rowsIn((await screen.findByRole('table')).parentElement).at(-1)).toBe('Deposit on acceptance | $115.00');
  });

  it('is not mentioned where none is asked for', async () => {
    openPublicQuote(publicQuote());
    await cardOf('Towel rails');
    expect(screen.queryByText('Deposit on acceptance')).toBeNull();
  });

  it('is paid on the page of the invoice once the quote is accepted, while it is to be paid', async () => {
    const accepted = acceptedQuote([HOT, RAILS], true, { ...CONTENT, deposit: HALF });
    const answers = [{ ...accepted, deposit_path: '/invoice/AbCdEf123456' }, accepted];
    const { reopen } = openPublicQuote(() => answers.shift());
    const link = await screen.findByRole('link', { name: 'Pay the deposit' });
    expect(link.getAttribute('href')).toBe('/invoice/AbCdEf123456');
    reopen();
    await screen.findByRole('heading', { name: 'Quote Accepted!' });
    expect(screen.queryByRole('link', { name: 'Pay the deposit' })).toBeNull();
  });
});
