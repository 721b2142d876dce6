import type { RecordEvent } from '@callout/contract/comments';
import type { Quote, QuoteMail } from '@callout/contract/quotes';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { quoteEventText } from '../src/features/quotes/quote-history-text.ts';
import { MAIL_KEPT } from '../src/features/quotes/quotes.api.ts';
import { press, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import {
  ACCEPTANCE,
  ACCEPTED,
  choose,
  hrefOf,
  OUTDOOR_TAP,
  openQuote,
  QUOTE_PATH,
  quoteHeading,
  REQUIRED,
  SENT,
  THREE_SECTIONS,
} from './open-quote.ts';
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
const whatHappened = async () => within(await screen.findByRole('region', { name: 'What happened' }));

describe('a quote', () => {
  it.each([1440, 390])('says for whom, how much, until when and what at %s px', async (width) => {
    setWidth(width);
    openQuote();
    await quoteHeading();
    expect(document.title).toBe(`${QUOTE.title} · Callout`);
    for (const text of ['Draft', 'Q001234', 'Apr 30, 2026', 'Mar 1, 2026', 'Supply and install.', 'Heat pump']) screen.getByText(text);
    expect(screen.getAllByText('$230.00').length).toBeGreaterThan(0);
    expect(await hrefOf('Ana Rossi')).toBe(`/customers/${CUSTOMER.id}`);
    expect(await hrefOf('021 555 123')).toBe('tel:021555123');
    expect(await hrefOf('Email ana@example.com')).toBe('mailto:ana@example.com');
  });

  it('without a customer is a Quick Price, and without a last day has no end date', async () => {
    openQuote({ customer: null, customer_id: null, valid_until: null, description: null });
    await quoteHeading();
    screen.getByText('Quick Price');
    screen.getByText('No end date');
  });

  it.each([1440, 390])('lists its sections with lines and totals at %s px', async (width) => {
    setWidth(width);
    openQuote(THREE_SECTIONS);
    await quoteHeading();
    const items = within(screen.getByRole('region', { name: 'Quote Items' }));
    expect([items.getAllByText('Required').length, items.getAllByText('Optional').length]).toEqual([1, 2]);
    for (const text of ['Towel rail', 'Outdoor tap', 'Frost free', '480.00', '72.00', '$552.00', 'GST 15%']) items.getByText(text);
    items.getByText(width === 390 ? '2 × 46.00' : '46.00');
    expect(items.queryByText('Rounding')).toBeNull();
  });

  it('prints the cent that its rounded sections lose', async () => {
    const small = { ...QUOTE_SECTION, total_amount: '0.03', items: [{ ...QUOTE_ITEM, unit_price: '0.03', tax_inclusive: false }] };
    openQuote({ sections: [small, { ...small, id: OUTDOOR_TAP.id }], total_amount: '0.07' });
    await quoteHeading();
    const row = screen.getByRole('row', { name: /^Rounding/ });
    within(row).getByText('0.01');
  });

  it('shows the estimated profit only to those whom the server tells it', async () => {
    openQuote();
    await screen.findByRole('heading', { name: 'Estimated profit' });
    screen.getByText('$80.00');
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
    within(viewer).getByText(/^Q001234/);
  });

  it('that does not exist is not found', async () => {
    openQuote({}, { [`GET ${QUOTE_PATH}`]: () => refuse('NOT_FOUND', 'Quote not found') });
    await screen.findByText('Quote not found');
    expect(await hrefOf('All quotes')).toBe('/quotes');
  });

  it('that cannot be read says why and is read again on request', async () => {
    const read = { answer: (): unknown => refuse('FORBIDDEN') };
    openQuote({}, { [`GET ${QUOTE_PATH}`]: () => read.answer() });
    await screen.findByText('A failure on purpose');
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
    await screen.findByText('Sent');
    read.answer = () => refuse('NOT_FOUND', 'Quote not found');
    await act(async () => queryClient.invalidateQueries({ queryKey: ['quotes'] }));
    await screen.findByText('This quote has been deleted. This is its last version.');
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
    screen.getByRole('button', { name: 'Copy Link' });
  });

  it('a draft can be accepted as well', async () => {
    openQuote();
    await screen.findByRole('button', { name: 'Accept Quote' });
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
    await screen.findByText('Sent');
    await choose('Mark as Draft');
    await screen.findByText('Draft');
  });

  it('that cannot change the status say why', async () => {
    openQuote({}, { [`PUT ${QUOTE_PATH}/status`]: () => refuse('FORBIDDEN', 'No') });
    await choose('Mark as Sent');
    await waitForToasts('Failed to update quote status: No');
  });

  it('say what happened to a quote that was answered meanwhile', async () => {
    openQuote({}, { [`PUT ${QUOTE_PATH}/status`]: () => refuse('QUOTE_CLOSED', '', { status: 'accepted', job_number: 'J26030042' }) });
    await choose('Mark as Sent');
    await waitForToasts('Failed to update quote status: This quote was already accepted. Its job is #J26030042.');
  });

  it('leave an accepted quote its status', async () => {
    openQuote(ACCEPTED);
    await quoteHeading();
    expect(await menuItems()).toEqual(['Duplicate', 'Delete']);
  });

  it('delete after a question, and lead to the list', async () => {
    const { path } = openQuote({}, { [`DELETE ${QUOTE_PATH}`]: () => ({}) });
    await choose('Delete');
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete Quote' }));
    question.getByText('Are you sure you want to delete this quote? This action cannot be undone.');
    question.getByRole('button', { name: 'Cancel' });
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

const MAIL: QuoteMail = {
  id: '018f0000-0000-7000-8000-0000000000f1',
  kind: 'quote',
  recipient: 'ana@example.com',
  status: 'sent',
  problem: null,
  queued_at: '2026-03-02T20:00:00.000Z',
  sent_at: '2026-03-02T20:01:00.000Z',
  sent_by: 'Mia',
};

describe('what happened', () => {
  it('to a fresh draft is nothing yet', async () => {
    openQuote();
    (await whatHappened()).getByText('Not sent yet');
  });

  it('is the mail: when it was sent, by whom, or that it is on its way', async () => {
    openQuote({
      ...SENT,
      mails: [{ ...MAIL, id: 'm2', status: 'queued', problem: 'Trying again: the mail server was busy', sent_at: null }, MAIL],
    });
    const events = await whatHappened();
    for (const text of ['Sending to ana@example.com', 'Trying again: the mail server was busy', 'Sent to ana@example.com'])
      events.getByText(text);
    events.getByText('Mar 3, 2026 9:01 AM');
    expect(events.getAllByText('By Mia')).toHaveLength(2);
    expect(events.queryByRole('button', { name: /^Retry/ })).toBeNull();
  });

  it('is why a mail failed, and Retry sends it again', async () => {
    const failed = { ...MAIL, status: 'failed' as const, problem: 'The mail server refused the address.', sent_at: null };
    const { server } = openQuote(
      { ...SENT, mails: [failed] },
      {
        [`POST /quote-mails/${MAIL.id}/retry`]: () => {
          server.quote = { ...server.quote, mails: [{ ...failed, status: 'queued', problem: null }] };
          return { quote: server.quote, mail: 'queued' };
        },
      },
    );
    const events = await whatHappened();
    events.getByText('Email failed to ana@example.com');
    events.getByText('The mail server refused the address.');
    await press('Retry email to ana@example.com');
    await waitForToasts('Email sent successfully');
    await events.findByText('Sending to ana@example.com');
  });

  it('offers no Retry to staff, and says when it fails', async () => {
    openQuote({ ...SENT, mails: [{ ...MAIL, status: 'failed', problem: 'Refused' }] }, {}, 'staff');
    const events = await whatHappened();
    expect(events.queryByRole('button')).toBeNull();
  });

  it('is a Retry that fails', async () => {
    openQuote(
      { ...SENT, mails: [{ ...MAIL, status: 'failed', problem: 'Refused' }] },
      { [`POST /quote-mails/${MAIL.id}/retry`]: () => refuse('NO_EMAIL', 'Customer email not found') },
    );
    await press(/^Retry/);
    await waitForToasts('Failed to send email: Customer email not found');
  });

  it('is that mail is not set up', async () => {
    openQuote({ ...SENT, mails: [{ ...MAIL, status: 'kept', sent_at: null }] });
    const events = await whatHappened();
    events.getByText('Not sent to ana@example.com');
    events.getByText(MAIL_KEPT);
  });

  it('is a reminder, when the customer opened it, and a mark by hand', async () => {
    openQuote({
      ...SENT,
      mails: [{ ...MAIL, kind: 'reminder', sent_by: null, queued_at: '2026-03-09T20:00:00.000Z', sent_at: '2026-03-09T20:01:00.000Z' }],
      first_opened_at: '2026-03-02T21:00:00.000Z',
      last_opened_at: '2026-03-05T21:00:00.000Z',
    });
    const events = await whatHappened();
    for (const text of ['Reminder sent to ana@example.com', 'Opened by the customer', 'Mar 3, 2026 10:00 AM', 'Marked as sent'])
      events.getByText(text);
    events.getByText('Last opened Mar 6, 2026 10:00 AM');
  });

  it('is who accepted what and when, with the job and the kept copy', async () => {
    openQuote({ ...THREE_SECTIONS, ...ACCEPTED });
    const events = await whatHappened();
    for (const text of ['Accepted by Ana Rossi', 'Mar 3, 2026 2:00 PM', '$322.00', 'From 203.0.113.7 · Safari on iPhone'])
      events.getByText(text);
    expect(events.getByRole('link', { name: 'Job #J26030042' }).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    expect(events.getByRole('link', { name: 'Download accepted copy' }).getAttribute('href')).toContain(`/api${QUOTE_PATH}/`);
    expect(events.queryByRole('alert')).toBeNull();
    const items = within(screen.getByRole('region', { name: 'Quote Items' }));
    expect(items.getAllByText('Not accepted')).toHaveLength(1);
    within(items.getByRole('row', { name: /^Accepted/ })).getByText('$322.00');
    expect(ACCEPTANCE.section_ids).toContain(REQUIRED.id);
  });

  it('is who accepted it for the customer, a job that was deleted and a copy that was changed', async () => {
    const acceptance = { ...ACCEPTANCE, accepted_by: 'Josh', by_customer: false, job_id: null, is_intact: false };
    openQuote({ ...ACCEPTED, acceptance });
    const events = await whatHappened();
    events.getByText('Accepted by Josh for the customer');
    events.getByText(/Job #J26030042 was deleted/);
    expect(events.getByRole('alert').textContent).toContain('The accepted copy no longer matches');
    expect(screen.queryByRole('link', { name: 'View Job' })).toBeNull();
  });

  it('is a rejection, or the end of its time', async () => {
    openQuote({ status: 'rejected', shown_status: 'rejected', is_actionable: false, rejected_at: '2026-03-03T01:00:00.000Z' });
    (await whatHappened()).getByText('Rejected by the customer');
  });

  it('is that it has expired', async () => {
    openQuote({ ...SENT, shown_status: 'expired', is_actionable: false });
    const events = await whatHappened();
    events.getByText('Expired');
    events.getByText('It was valid until Apr 30, 2026.');
  });
});

describe('the history', () => {
  const event = (action: string, changes: RecordEvent['changes'] = {}): RecordEvent => ({
    id: action,
    at: '2026-03-03T01:00:00.000Z',
    who: 'Mia',
    action,
    changes,
  });

  it('says who did what when', async () => {
    openQuote({}, { 'GET /quotes/{id}/history': () => ({ rows: [event('created')], next_cursor: null }) });
    const history = within(await screen.findByRole('region', { name: 'History' }));
    const row = await history.findByRole('listitem');
    expect(row.textContent).toMatch(/2:00 PM.*Mia created the quote/);
  });

  it.each<[RecordEvent, string]>([
    [event('created', { copied_from: [null, 'Q000077'] }), 'copied the quote from Q000077'],
    [event('sent', { recipient: [null, 'ana@example.com'] }), 'sent the quote to ana@example.com'],
    [event('accepted', { job_number: [null, 'J26030042'] }), 'accepted the quote, which created job #J26030042'],
    [event('rejected'), 'rejected the quote'],
    [event('mail-failed', { recipient: [null, 'a@b.c'], problem: [null, 'Refused.'] }), "couldn't deliver the email to a@b.c: Refused."],
    [event('edited', { total_amount: ['230.00', '1230.00'] }), 'changed the total from $230.00 to $1,230.00'],
    [event('edited', { title: ['A', 'B'] }), 'renamed it from “A” to “B”'],
    [event('edited', { status: ['draft', 'sent'] }), 'changed the status from Draft to Sent'],
    [event('edited', { valid_until: ['2026-03-03', null], sections: ['1', '2'] }), 'removed the end date and changed the sections'],
    [event('something new'), 'changed the quote'],
  ])('%#: reads as a sentence', (given, text) => {
    expect(quoteEventText(given, 'NZD')).toBe(text);
  });
});
