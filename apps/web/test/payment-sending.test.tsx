import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { MAIL_KEPT } from '../src/lib/kept-mail.ts';
import { press, refuse, toastTexts, waitForToasts } from './open-page.tsx';
import { chooseFrom, findBill, INVOICED, openPayment, PAID, SEND } from './open-payment.ts';
import { BILLING, CUSTOMER, INVOICE_MAIL, JOB, OWNER } from './people.ts';

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const isFilled = (name: string) => button(name).className.includes('bg-accent ');

describe('Send Payment Email', () => {
  it('says what it will do, sends what is on the screen, and says that it is on its way', async () => {
    const sent: unknown[] = [];
    const { server } = openPayment(
      {},
      {
        [SEND]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, ...INVOICED, mails: [{ ...INVOICE_MAIL, status: 'queued', sent_at: null }] };
          return { billing: server.billing, mail: 'queued' };
        },
      },
    );
    await screen.findByText(/^Sends the invoice link and the PDF to ana@example.com and marks the job as invoiced\./);
    expect(isFilled('Send Payment Email')).toBe(true);
    await press('Send Payment Email');
    await waitForToasts('Sending INV-2026-0187 to ana@example.com');
    expect(sent).toEqual([{ mail_id: expect.any(String), content_hash: 'hash-1', by_hand: false }]);
    await screen.findByText('Invoiced');
    expect([isFilled('Send Payment Email'), isFilled('Mark as Paid')]).toEqual([false, true]);
    screen.getByText(/^Sends INV-2026-0187 to ana@example.com again/);
    within(screen.getByRole('region', { name: 'Activity' })).getByText('Sending to ana@example.com');
  });

  it('is one mail, however often its answer is lost, and another one afterwards', async () => {
    const ids: string[] = [];
    let isLost = true;
    const { server } = openPayment(INVOICED, {
      [SEND]: (input) => {
        ids.push((input as { mail_id: string }).mail_id);
        if (isLost) throw new TypeError('lost');
        return { billing: server.billing, mail: 'queued' };
      },
    });
    await press('Send Payment Email');
    await waitFor(() => expect(toastTexts()[0]).toMatch(/^Failed to send email: /));
    isLost = false;
    await press('Send Payment Email');
    await waitFor(() => expect(ids).toHaveLength(2));
    await waitFor(() => expect(button('Send Payment Email').getAttribute('aria-busy')).toBeNull());
    await press('Send Payment Email');
    await waitFor(() => expect(ids).toHaveLength(3));
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('helps whoever has not confirmed their email to do so first', async () => {
    openPayment(
      {},
      { 'GET /me': () => ({ ...OWNER, must_confirm_email: true }), 'POST /me/email-confirmation': () => ({ mail: 'queued' }) },
    );
    await screen.findByText('Please confirm your email address before you send invoices.');
    await press('Send confirmation email');
    const sent = 'We sent a link to mia@example.com. Open it to confirm your email, then come back here.';
    expect(await screen.findByText(sent)).toBeDefined();
  });

  it('needs an email, and asks nobody without one', async () => {
    openPayment({ job: { ...BILLING.job, customer: { ...CUSTOMER, email: '' } } });
    await screen.findByText(/^Customer email not found/);
    expect(screen.getByRole('link', { name: 'Add an email' }).getAttribute('href')).toBe(`/customers/${CUSTOMER.id}?edit=true`);
    expect(screen.queryByRole('link', { name: 'Open in mail app' })).toBeNull();
    await press('Send Payment Email');
    await waitForToasts('Customer email not found');
  });

  it('shows the job as it is now when it was changed, and says so', async () => {
    const changed = { ...BILLING.document, total: '$223.00', exact: { ...BILLING.document.exact, total: '223.00', amount: '216.00' } };
    const { server } = openPayment(
      {},
      {
        [SEND]: () => {
          server.billing = { ...server.billing, document: changed, current: changed, content_hash: 'hash-2' };
          return refuse('INVOICE_CHANGED', 'The job was changed. Please check the invoice before you send it.');
        },
      },
    );
    await press('Send Payment Email');
    await waitForToasts('The job was changed. Please check the invoice before you send it.');
    await waitFor(async () => expect(within(await findBill()).getAllByText('$223.00')).toHaveLength(2));
  });

  it('without a mail server says that it waits', async () => {
    const { server } = openPayment(
      {},
      {
        'GET /me': () => ({ ...OWNER, sends_mail: false }),
        [SEND]: () => {
          server.billing = { ...server.billing, mails: [{ ...INVOICE_MAIL, status: 'kept', sent_at: null }] };
          return { billing: server.billing, mail: 'kept' };
        },
      },
    );
    await screen.findByText(/^Mail isn't set up on this server. The message will wait/);
    await press('Send Payment Email');
    await waitForToasts(MAIL_KEPT);
    expect(await screen.findByText('Not sent to ana@example.com')).toBeDefined();
  });

  it('a mail that failed can be sent again', async () => {
    const failed = { ...INVOICE_MAIL, status: 'failed' as const, problem: 'The mail server refused the address.', sent_at: null };
    const { server } = openPayment(
      { ...INVOICED, mails: [failed], first_opened_at: '2026-04-03T01:00:00.000Z' },
      {
        [`POST /invoice-mails/${INVOICE_MAIL.id}/retry`]: () => {
          server.billing = { ...server.billing, mails: [{ ...failed, status: 'queued', problem: null }] };
          return { billing: server.billing, mail: 'queued' };
        },
      },
    );
    const activity = within(await screen.findByRole('region', { name: 'Activity' }));
    for (const text of [
      'Email failed to ana@example.com',
      'The mail server refused the address.',
      'INV-2026-0187',
      'Opened by the customer',
    ])
      activity.getByText(text);
    await press('Retry email to ana@example.com');
    expect(await activity.findByText('Sending to ana@example.com')).toBeDefined();
  });

  it('a reminder that failed is not sent again once the invoice is paid', async () => {
    const failed = { ...INVOICE_MAIL, status: 'failed' as const, problem: 'Their mailbox is full.', sent_at: null };
    const reminder = { ...failed, id: '018f0000-0000-7000-8000-0000000003a1', kind: 'reminder' as const, recipient: 'bo@example.com' };
    openPayment({ ...PAID, mails: [failed, reminder] });
    const activity = within(await screen.findByRole('region', { name: 'Activity' }));
    expect(activity.getAllByText('Their mailbox is full.')).toHaveLength(2);
    expect(activity.getAllByRole('button').map((shown) => shown.getAttribute('aria-label') ?? shown.textContent)).toEqual([
      'Retry email to ana@example.com',
    ]);
  });

  it('a changed job shows both totals and sends the corrected invoice', async () => {
    const sent: unknown[] = [];
    const current = { ...BILLING.document, total: '$236.98', exact: { ...BILLING.document.exact, total: '236.98', amount: '230.00' } };
    const { server } = openPayment(
      { ...INVOICED, differs: true, current, content_hash: 'hash-2' },
      {
        [SEND]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, differs: false, document: current };
          return { billing: server.billing, mail: 'queued' };
        },
      },
    );
    await screen.findByText('Differs from the invoice sent on Apr 3, 2026');
    screen.getByText('Sent: $118.74 · The job now: $236.98');
    screen.getByText(/^Sends a corrected invoice of \$236.98 to ana@example.com. It replaces INV-2026-0187./);
    expect(screen.getByRole('link', { name: 'PDF of the current job' }).getAttribute('href')).toBe(`/api/jobs/${JOB.id}/invoice.pdf`);
    expect(isFilled('Send Payment Email')).toBe(true);
    await press('Send corrected invoice');
    await waitFor(() => expect(screen.queryByText(/^Differs/)).toBeNull());
    expect(sent).toEqual([expect.objectContaining({ content_hash: 'hash-2' })]);
  });

  it('Issue without email asks first', async () => {
    const sent: unknown[] = [];
    const { server } = openPayment(
      {},
      {
        [SEND]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, ...INVOICED, mails: [] };
          return { billing: server.billing, mail: null };
        },
      },
    );
    await findBill();
    await chooseFrom('More actions', 'Issue without email');
    await press('Issue invoice');
    await waitForToasts('INV-2026-0187 issued');
    expect(sent).toEqual([expect.objectContaining({ by_hand: true })]);
    await screen.findByText('Invoice issued, Apr 3, 2026');
    expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
  });

  it('an email with an invoice that was replaced is not sent again', async () => {
    const failed = { ...INVOICE_MAIL, status: 'failed' as const, invoice_number: 'INV-2026-0150' };
    openPayment({ ...INVOICED, mails: [failed] });
    const activity = within(await screen.findByRole('region', { name: 'Activity' }));
    activity.getByText('INV-2026-0150');
    expect(activity.queryByRole('button')).toBeNull();
  });
});
