import type { RecordEvent } from '@callout/contract/comments';
import type { QuoteMail } from '@callout/contract/quotes';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { formatQuoteEvent } from '../src/features/quotes/quote-event-format.ts';
import { MAIL_NOT_SENT_MESSAGE } from '../src/lib/unsent-mail.ts';
import { JOB } from './fixtures.ts';
import { failWith, pressButton, waitForToasts } from './open-page.tsx';
import {
  ACCEPTED_QUOTE,
  openQuotePage,
  QUOTE_ACCEPTANCE,
  QUOTE_PATH,
  REQUIRED_SECTION,
  SENT_QUOTE,
  THREE_SECTION_QUOTE,
} from './open-quote.ts';

const findActivity = async () => within(await screen.findByRole('region', { name: 'Activity' }));

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

describe('the activity section', () => {
  it('says that a new draft has not been sent', async () => {
    openQuotePage();
    expect((await findActivity()).getByText('Not sent yet')).toBeDefined();
  });

  it('shows who sent each email and when, and which emails are still queued', async () => {
    openQuotePage({
      ...SENT_QUOTE,
      mails: [{ ...MAIL, id: 'm2', status: 'queued', problem: 'Trying again: the mail server was busy', sent_at: null }, MAIL],
    });
    const events = await findActivity();
    for (const text of ['Sending to ana@example.com', 'Trying again: the mail server was busy', 'Sent to ana@example.com'])
      expect(events.getByText(text)).toBeDefined();
    expect(events.getByText('Mar 3, 2026 9:01 AM')).toBeDefined();
    expect(events.getAllByText('By Mia')).toHaveLength(2);
    expect(events.queryByRole('button', { name: /^Retry/ })).toBeNull();
  });

  it('does not mark the quote as failed when only a reminder failed', async () => {
    openQuotePage({
      ...SENT_QUOTE,
      mails: [{ ...MAIL, id: 'm2', kind: 'reminder', status: 'failed', problem: 'Refused', sent_at: null }, MAIL],
    });
    expect((await findActivity()).getByText('Refused')).toBeDefined();
    expect(screen.queryByText('Email failed')).toBeNull();
  });

  it('shows why an email failed and sends it again on Retry', async () => {
    const failedMail = { ...MAIL, status: 'failed' as const, problem: 'The mail server refused the address.', sent_at: null };
    const { server } = openQuotePage(
      { ...SENT_QUOTE, mails: [failedMail] },
      {
        [`POST /quote-mails/${MAIL.id}/retry`]: () => {
          server.quote = { ...server.quote, mails: [{ ...failedMail, status: 'queued', problem: null }] };
          return { quote: server.quote, mail: 'queued' };
        },
      },
    );
    const events = await findActivity();
    expect(events.getByText('Email failed to ana@example.com')).toBeDefined();
    expect(events.getByText('The mail server refused the address.')).toBeDefined();
    expect(screen.getByText('Email failed')).toBeDefined();
    screen.getByRole('button', { name: 'Retry email to ana@example.com' }).focus();
    await pressButton('Retry email to ana@example.com');
    await waitForToasts('Email sent successfully');
    const sending = await events.findByText('Sending to ana@example.com');
    expect(document.activeElement).toBe(sending.closest('li'));
  });

  it('hides Retry from staff', async () => {
    openQuotePage({ ...SENT_QUOTE, mails: [{ ...MAIL, status: 'failed', problem: 'Refused' }] }, {}, 'staff');
    const events = await findActivity();
    expect(events.queryByRole('button')).toBeNull();
  });

  it('shows why a retry failed and keeps the button', async () => {
    openQuotePage(
      { ...SENT_QUOTE, mails: [{ ...MAIL, status: 'failed', problem: 'Refused' }] },
      { [`POST /quote-mails/${MAIL.id}/retry`]: () => failWith('NO_EMAIL', 'Customer email not found') },
    );
    await pressButton(/^Retry/);
    await waitForToasts('Failed to send email: Customer email not found');
    expect(screen.getByRole('button', { name: /^Retry/ })).toBeDefined();
  });

  it('explains that an email was not sent because email is not set up', async () => {
    openQuotePage({ ...SENT_QUOTE, mails: [{ ...MAIL, status: 'kept', sent_at: null }] });
    const events = await findActivity();
    expect(events.getByText('Not sent to ana@example.com')).toBeDefined();
    expect(events.getByText(MAIL_NOT_SENT_MESSAGE)).toBeDefined();
  });

  it('shows reminders, when the customer opened the quote, and that the quote was marked as sent', async () => {
    openQuotePage({
      ...SENT_QUOTE,
      mails: [{ ...MAIL, kind: 'reminder', sent_by: null, queued_at: '2026-03-09T20:00:00.000Z', sent_at: '2026-03-09T20:01:00.000Z' }],
      first_opened_at: '2026-03-02T21:00:00.000Z',
      last_opened_at: '2026-03-05T21:00:00.000Z',
    });
    const events = await findActivity();
    for (const text of ['Reminder sent to ana@example.com', 'Opened by the customer', 'Mar 3, 2026 10:00 AM', 'Marked as sent'])
      expect(events.getByText(text)).toBeDefined();
    expect(events.getByText('Last opened Mar 6, 2026 10:00 AM')).toBeDefined();
  });

  it('shows who accepted what and when, with links to the job and the accepted copy', async () => {
    openQuotePage({ ...THREE_SECTION_QUOTE, ...ACCEPTED_QUOTE });
    const events = await findActivity();
    for (const text of ['Accepted by Ana Rossi', 'Mar 3, 2026 2:00 PM', '$322.00', 'From 203.0.113.7 · Safari on iPhone'])
      expect(events.getByText(text)).toBeDefined();
    expect(events.getByRole('link', { name: 'Job #J26030042' }).getAttribute('href')).toBe(`/jobs/${JOB.id}`);
    expect(events.getByRole('link', { name: 'Download accepted copy' }).getAttribute('href')).toContain(`/api${QUOTE_PATH}/`);
    expect(events.queryByRole('alert')).toBeNull();
    const items = within(screen.getByRole('region', { name: 'Quote Items' }));
    expect(items.getAllByText('Not accepted')).toHaveLength(1);
    expect(within(items.getByRole('row', { name: /^Accepted/ })).getByText('$322.00')).toBeDefined();
    expect(QUOTE_ACCEPTANCE.section_ids).toContain(REQUIRED_SECTION.id);
  });

  it('marks a section as accepted only if it has not changed since the acceptance', async () => {
    openQuotePage({
      ...THREE_SECTION_QUOTE,
      ...ACCEPTED_QUOTE,
      acceptance: { ...QUOTE_ACCEPTANCE, changed_section_ids: [REQUIRED_SECTION.id] },
    });
    await findActivity();
    const items = within(screen.getByRole('region', { name: 'Quote Items' }));
    const getHeaderText = (name: RegExp) => items.getByRole('rowheader', { name }).textContent;
    expect([getHeaderText(/^Heat pump/), getHeaderText(/^Outdoor tap/)]).toEqual([
      'Heat pumpChanged since it was accepted',
      'Outdoor tapAcceptedFrost free',
    ]);
  });

  it('shows an acceptance on behalf of the customer, a deleted job and an altered copy', async () => {
    const acceptance = { ...QUOTE_ACCEPTANCE, accepted_by: 'Josh', by_customer: false, job_id: null, is_intact: false };
    openQuotePage({ ...ACCEPTED_QUOTE, acceptance });
    const events = await findActivity();
    expect(events.getByText('Accepted by Josh for the customer')).toBeDefined();
    expect(events.getByText(/Job #J26030042 was deleted/)).toBeDefined();
    expect(events.getByRole('alert').textContent).toContain('The accepted copy may have been altered');
    expect(screen.queryByRole('link', { name: 'View Job' })).toBeNull();
  });

  it('shows that the customer rejected the quote', async () => {
    openQuotePage({ status: 'rejected', shown_status: 'rejected', is_actionable: false, rejected_at: '2026-03-03T01:00:00.000Z' });
    expect((await findActivity()).getByText('Rejected by the customer')).toBeDefined();
  });

  it('shows when the quote expired', async () => {
    openQuotePage({ ...SENT_QUOTE, shown_status: 'expired', is_actionable: false });
    const events = await findActivity();
    expect(events.getByText('Expired')).toBeDefined();
    expect(events.getByText('It was valid until Apr 30, 2026.')).toBeDefined();
  });
});

describe('the quote history', () => {
  const buildEvent = (action: string, changes: RecordEvent['changes'] = {}): RecordEvent => ({
    id: action,
    at: '2026-03-03T01:00:00.000Z',
    made_at: null,
    who: 'Mia',
    action,
    changes,
  });

  it('shows who did what and when', async () => {
    openQuotePage({}, { 'GET /quotes/{id}/history': () => ({ rows: [buildEvent('created')], next_cursor: null }) });
    const history = within(await screen.findByRole('region', { name: 'History' }));
    const row = await history.findByRole('listitem');
    expect(row.textContent).toMatch(/2:00 PM.*Mia created the quote/);
  });

  it.each<[RecordEvent, string]>([
    [buildEvent('created', { copied_from: [null, 'Q000077'] }), 'copied the quote from Q000077'],
    [buildEvent('sent', { recipient: [null, 'ana@example.com'] }), 'sent the quote to ana@example.com'],
    [buildEvent('accepted', { job_number: [null, 'J26030042'] }), 'accepted the quote, which created job #J26030042'],
    [buildEvent('rejected'), 'rejected the quote'],
    [
      buildEvent('mail-failed', { recipient: [null, 'a@b.c'], problem: [null, 'Refused.'] }),
      "couldn't deliver the email to a@b.c: Refused.",
    ],
    [buildEvent('edited', { total_amount: ['230.00', '1230.00'] }), 'changed the total from $230.00 to $1,230.00'],
    [buildEvent('edited', { customer: ['Ruiz Ltd', null] }), 'deleted the customer Ruiz Ltd'],
    [buildEvent('edited', { customer: [null, 'Bo Li'] }), 'set the customer to Bo Li'],
    [buildEvent('edited', { title: ['A', 'B'] }), 'renamed it from “A” to “B”'],
    [buildEvent('edited', { status: ['draft', 'sent'] }), 'changed the status from Draft to Sent'],
    [buildEvent('edited', { valid_until: ['2026-03-03', null], sections: ['1', '2'] }), 'removed the expiry date and changed the sections'],
    [buildEvent('something new'), 'changed the quote'],
  ])('formats event %# as a sentence', (recordEvent, text) => {
    expect(formatQuoteEvent(recordEvent, 'NZD')).toBe(text);
  });
});
