import type { RecordEvent } from '@callout/contract/comments';
import type { QuoteMail } from '@callout/contract/quotes';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { quoteEventText } from '../src/features/quotes/quote-history-text.ts';
import { MAIL_KEPT } from '../src/lib/kept-mail.ts';
import { press, refuse, waitForToasts } from './open-page.tsx';
import { ACCEPTANCE, ACCEPTED, openQuote, QUOTE_PATH, REQUIRED, SENT, THREE_SECTIONS } from './open-quote.ts';
import { JOB } from './people.ts';

const whatHappened = async () => within(await screen.findByRole('region', { name: 'Activity' }));

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
    expect((await whatHappened()).getByText('Not sent yet')).toBeDefined();
  });

  it('is the mail: when it was sent, by whom, or that it is on its way', async () => {
    openQuote({
      ...SENT,
      mails: [{ ...MAIL, id: 'm2', status: 'queued', problem: 'Trying again: the mail server was busy', sent_at: null }, MAIL],
    });
    const events = await whatHappened();
    for (const text of ['Sending to ana@example.com', 'Trying again: the mail server was busy', 'Sent to ana@example.com'])
      expect(events.getByText(text)).toBeDefined();
    expect(events.getByText('Mar 3, 2026 9:01 AM')).toBeDefined();
    expect(events.getAllByText('By Mia')).toHaveLength(2);
    expect(events.queryByRole('button', { name: /^Retry/ })).toBeNull();
  });

  it('to a reminder that failed is no failed quote', async () => {
    openQuote({ ...SENT, mails: [{ ...MAIL, id: 'm2', kind: 'reminder', status: 'failed', problem: 'Refused', sent_at: null }, MAIL] });
    expect((await whatHappened()).getByText('Refused')).toBeDefined();
    expect(screen.queryByText('Email failed')).toBeNull();
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
    expect(events.getByText('Email failed to ana@example.com')).toBeDefined();
    expect(events.getByText('The mail server refused the address.')).toBeDefined();
    expect(screen.getByText('Email failed')).toBeDefined();
    screen.getByRole('button', { name: 'Retry email to ana@example.com' }).focus();
    await press('Retry email to ana@example.com');
    await waitForToasts('Email sent successfully');
    const sending = await events.findByText('Sending to ana@example.com');
    expect(document.activeElement).toBe(sending.closest('li'));
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
    expect(screen.getByRole('button', { name: /^Retry/ })).toBeDefined();
  });

  it('is that mail is not set up', async () => {
    openQuote({ ...SENT, mails: [{ ...MAIL, status: 'kept', sent_at: null }] });
    const events = await whatHappened();
    expect(events.getByText('Not sent to ana@example.com')).toBeDefined();
    expect(events.getByText(MAIL_KEPT)).toBeDefined();
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
      expect(events.getByText(text)).toBeDefined();
    expect(events.getByText('Last opened Mar 6, 2026 10:00 AM')).toBeDefined();
  });

  it('is who accepted what and when, with the job and the kept copy', async () => {
    openQuote({ ...THREE_SECTIONS, ...ACCEPTED });
    const events = await whatHappened();
    for (const text of ['Accepted by Ana Rossi', 'Mar 3, 2026 2:00 PM', '$322.00', 'From 203.0.113.7 · Safari on iPhone'])
      expect(events.getByText(text)).toBeDefined();
    expect(events.getByRole('link', { name: 'Job #J26030042' }).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    expect(events.getByRole('link', { name: 'Download accepted copy' }).getAttribute('href')).toContain(`/api${QUOTE_PATH}/`);
    expect(events.queryByRole('alert')).toBeNull();
    const items = within(screen.getByRole('region', { name: 'Quote Items' }));
    expect(items.getAllByText('Not accepted')).toHaveLength(1);
    expect(within(items.getByRole('row', { name: /^Accepted/ })).getByText('$322.00')).toBeDefined();
    expect(ACCEPTANCE.section_ids).toContain(REQUIRED.id);
  });

  it('marks a section as accepted only while it is what was accepted', async () => {
    openQuote({ ...THREE_SECTIONS, ...ACCEPTED, acceptance: { ...ACCEPTANCE, changed_section_ids: [REQUIRED.id] } });
    await whatHappened();
    const items = within(screen.getByRole('region', { name: 'Quote Items' }));
    const pillsOf = (name: RegExp) => items.getByRole('rowheader', { name }).textContent;
    expect([pillsOf(/^Heat pump/), pillsOf(/^Outdoor tap/)]).toEqual([
      'Heat pumpChanged since it was accepted',
      'Outdoor tapAcceptedFrost free',
    ]);
  });

  it('is who accepted it for the customer, a job that was deleted and a copy that was changed', async () => {
    const acceptance = { ...ACCEPTANCE, accepted_by: 'Josh', by_customer: false, job_id: null, is_intact: false };
    openQuote({ ...ACCEPTED, acceptance });
    const events = await whatHappened();
    expect(events.getByText('Accepted by Josh for the customer')).toBeDefined();
    expect(events.getByText(/Job #J26030042 was deleted/)).toBeDefined();
    expect(events.getByRole('alert').textContent).toContain('The accepted copy no longer matches');
    expect(screen.queryByRole('link', { name: 'View Job' })).toBeNull();
  });

  it('is a rejection, or the end of its time', async () => {
    openQuote({ status: 'rejected', shown_status: 'rejected', is_actionable: false, rejected_at: '2026-03-03T01:00:00.000Z' });
    expect((await whatHappened()).getByText('Rejected by the customer')).toBeDefined();
  });

  it('is that it has expired', async () => {
    openQuote({ ...SENT, shown_status: 'expired', is_actionable: false });
    const events = await whatHappened();
    expect(events.getByText('Expired')).toBeDefined();
    expect(events.getByText('It was valid until Apr 30, 2026.')).toBeDefined();
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
