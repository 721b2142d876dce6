import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getStatusToastId } from '../src/features/jobs/jobs-status.api.ts';
import { toast } from '../src/ui/toast.ts';
import { BILLING, INVOICE, INVOICE_MAIL } from './billing-fixtures.ts';
import { ADMIN_USER, CUSTOMER, JOB } from './fixtures.ts';
import { failWith, getToasts, pressButton, waitForToasts } from './open-page.tsx';
import { chooseMenuItem, findInvoice, INVOICED_BILLING, openPaymentPage, PAID_BILLING, SEND_INVOICE_CALL } from './open-payment.ts';

/** An invoice that was issued, but neither emailed nor handed over. */
const UNSENT_INVOICE = { ...INVOICE, sent_at: null, shown_status: 'unsent' as const };

const getButton = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const isPrimaryButton = (name: string) => getButton(name).className.includes('bg-accent ');

describe('Send Payment Email', () => {
  it('explains its effect, sends the displayed invoice and confirms that the email is being sent', async () => {
    const sent: unknown[] = [];
    const { server } = openPaymentPage(
      {},
      {
        [SEND_INVOICE_CALL]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, ...INVOICED_BILLING, mails: [{ ...INVOICE_MAIL, status: 'queued', sent_at: null }] };
          return { billing: server.billing, mail: 'queued' };
        },
      },
    );
    await screen.findByText(/^Sends the invoice link and the PDF to ana@example.com and marks the job as invoiced\./);
    expect(isPrimaryButton('Send Payment Email')).toBe(true);
    await pressButton('Send Payment Email');
    await waitForToasts('Sending INV-2026-0187 to ana@example.com');
    expect(sent).toEqual([{ mail_id: expect.any(String), content_hash: 'hash-1', by_hand: false, handed_over: true }]);
    await screen.findByText('Invoiced');
    expect([isPrimaryButton('Send Payment Email'), isPrimaryButton('Mark as Paid')]).toEqual([false, true]);
    screen.getByText(/^Sends INV-2026-0187 to ana@example.com again/);
    within(screen.getByRole('region', { name: 'Activity' })).getByText('Sending to ana@example.com');
  });

  it('reuses the email id after a lost response and creates a new id for the next email', async () => {
    const ids: string[] = [];
    let isLost = true;
    const { server } = openPaymentPage(INVOICED_BILLING, {
      [SEND_INVOICE_CALL]: (input) => {
        ids.push((input as { mail_id: string }).mail_id);
        if (isLost) throw new TypeError('lost');
        return { billing: server.billing, mail: 'queued' };
      },
    });
    await pressButton('Send Payment Email');
    await waitFor(() => expect(getToasts()[0]).toMatch(/^Failed to send email: /));
    isLost = false;
    await pressButton('Send Payment Email');
    await waitFor(() => expect(ids).toHaveLength(2));
    await waitFor(() => expect(getButton('Send Payment Email').getAttribute('aria-busy')).toBeNull());
    await pressButton('Send Payment Email');
    await waitFor(() => expect(ids).toHaveLength(3));
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('offers to send a confirmation email to an unconfirmed user', async () => {
    openPaymentPage(
      {},
      { 'GET /me': () => ({ ...ADMIN_USER, must_confirm_email: true }), 'POST /me/email-confirmation': () => ({ mail: 'queued' }) },
    );
    await screen.findByText('Please confirm your email address before you send invoices.');
    await pressButton('Send confirmation email');
    const sent = 'We sent a link to mia@example.com. Open it to confirm your email, then come back here.';
    expect(await screen.findByText(sent)).toBeDefined();
  });

  it("requires the customer's email address and sends nothing without it", async () => {
    openPaymentPage({ job: { ...BILLING.job, customer: { ...CUSTOMER, email: '' } } });
    await screen.findByText(/^Customer email not found/);
    expect(screen.getByRole('link', { name: 'Add an email' }).getAttribute('href')).toBe(`/customers/${CUSTOMER.id}?edit=true`);
    expect(screen.queryByRole('link', { name: 'Open in mail app' })).toBeNull();
    await pressButton('Send Payment Email');
    await waitForToasts('Customer email not found');
  });

  it('shows the updated job and a message when the job changed before sending', async () => {
    const changed = { ...BILLING.document, total: '$223.00', exact: { ...BILLING.document.exact, total: '223.00', amount: '216.00' } };
    const { server } = openPaymentPage(
      {},
      {
        [SEND_INVOICE_CALL]: () => {
          server.billing = { ...server.billing, document: changed, current: changed, content_hash: 'hash-2' };
          return failWith('INVOICE_CHANGED', 'The job has changed. Please check the invoice before you send it.');
        },
      },
    );
    await pressButton('Send Payment Email');
    await waitForToasts('The job has changed. Please check the invoice before you send it.');
    await waitFor(async () => expect(within(await findInvoice()).getAllByText('$223.00')).toHaveLength(2));
  });

  it('retries a failed invoice email', async () => {
    const failed = { ...INVOICE_MAIL, status: 'failed' as const, problem: 'The mail server refused the address.', sent_at: null };
    const { server } = openPaymentPage(
      { ...INVOICED_BILLING, mails: [failed], first_opened_at: '2026-04-03T01:00:00.000Z' },
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
    await pressButton('Retry email to ana@example.com');
    expect(await activity.findByText('Sending to ana@example.com')).toBeDefined();
  });

  it('offers no retry for a failed reminder once the invoice is paid', async () => {
    const failed = { ...INVOICE_MAIL, status: 'failed' as const, problem: 'Their mailbox is full.', sent_at: null };
    const reminder = { ...failed, id: '018f0000-0000-7000-8000-0000000003a1', kind: 'reminder' as const, recipient: 'bo@example.com' };
    openPaymentPage({ ...PAID_BILLING, mails: [failed, reminder] });
    const activity = within(await screen.findByRole('region', { name: 'Activity' }));
    expect(activity.getAllByText('Their mailbox is full.')).toHaveLength(2);
    expect(activity.getAllByRole('button').map((shown) => shown.getAttribute('aria-label') ?? shown.textContent)).toEqual([
      'Retry email to ana@example.com',
    ]);
  });

  it('shows both totals of a changed job and sends the corrected invoice', async () => {
    const sent: unknown[] = [];
    const current = { ...BILLING.document, total: '$236.98', exact: { ...BILLING.document.exact, total: '236.98', amount: '230.00' } };
    const { server } = openPaymentPage(
      { ...INVOICED_BILLING, differs: true, current, content_hash: 'hash-2' },
      {
        [SEND_INVOICE_CALL]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, differs: false, document: current };
          return { billing: server.billing, mail: 'queued' };
        },
      },
    );
    await screen.findByText('Differs from the invoice sent on Apr 3, 2026');
    screen.getByText('Invoice: $115.00 · Job now: $230.00');
    screen.getByText(/^Sends a corrected invoice for \$230.00 to ana@example.com. INV-2026-0187 is canceled with a credit note./);
    expect(screen.getByRole('link', { name: 'PDF of the current job' }).getAttribute('href')).toBe(`/api/jobs/${JOB.id}/invoice.pdf`);
    expect(isPrimaryButton('Send Payment Email')).toBe(true);
    await pressButton('Send corrected invoice');
    await waitFor(() => expect(screen.queryByText(/^Differs/)).toBeNull());
    expect(sent).toEqual([expect.objectContaining({ content_hash: 'hash-2' })]);
  });

  it('asks for confirmation before issuing an invoice without sending an email', async () => {
    const sent: unknown[] = [];
    const { server } = openPaymentPage(
      {},
      {
        [SEND_INVOICE_CALL]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, ...INVOICED_BILLING, mails: [], invoice: UNSENT_INVOICE };
          return { billing: server.billing, mail: null };
        },
      },
    );
    await findInvoice();
    await chooseMenuItem('More actions', 'Issue without email');
    await pressButton('Issue invoice');
    await waitForToasts('INV-2026-0187 issued');
    expect(sent).toEqual([expect.objectContaining({ by_hand: true, handed_over: false })]);
    await screen.findByText('Send the invoice');
    expect(isPrimaryButton('Send Payment Email')).toBe(true);
    getButton('Mark as handed over');
    expect(screen.queryByRole('button', { name: 'More actions' })).toBeNull();
  });

  it('offers no retry for the email of a replaced invoice', async () => {
    const failed = { ...INVOICE_MAIL, status: 'failed' as const, invoice_number: 'INV-2026-0150' };
    openPaymentPage({ ...INVOICED_BILLING, mails: [failed] });
    const activity = within(await screen.findByRole('region', { name: 'Activity' }));
    activity.getByText('INV-2026-0150');
    expect(activity.queryByRole('button')).toBeNull();
  });
});

describe('the payment page of a server without email', () => {
  const WITHOUT_MAIL = { 'GET /me': () => ({ ...ADMIN_USER, sends_mail: false }) };
  const UNSENT_BILLING = { ...INVOICED_BILLING, job: BILLING.job, mails: [], invoice: UNSENT_INVOICE, invoices: [UNSENT_INVOICE] };

  it('issues the invoice, then asks to hand it over', async () => {
    const sent: unknown[] = [];
    const { server } = openPaymentPage(
      {},
      {
        ...WITHOUT_MAIL,
        [SEND_INVOICE_CALL]: (input) => {
          sent.push(input);
          server.billing = { ...server.billing, ...UNSENT_BILLING };
          return { billing: server.billing, mail: null };
        },
        [`POST /invoices/${INVOICE.id}/hand-over`]: () => {
          server.billing = { ...server.billing, ...INVOICED_BILLING, mails: [], invoice: { ...INVOICE, handed_over_by: 'Mia' } };
          server.billing.invoices = server.billing.invoice ? [server.billing.invoice] : [];
          return server.billing;
        },
      },
    );
    await screen.findByText(/^Email isn't set up on this server. Issue the invoice/);
    expect(screen.queryByRole('button', { name: 'Send Payment Email' })).toBeNull();
    screen.getByText('Your customer sees a draft until you issue the invoice.');
    act(
      () => void toast.success('Job marked as complete', { id: getStatusToastId(JOB.id), action: { label: 'Undo', run: () => undefined } }),
    );
    await waitForToasts('Job marked as completeUndo');
    await pressButton('Issue Invoice');
    await pressButton('Issue invoice');
    await waitForToasts('INV-2026-0187 issued');
    expect(sent).toEqual([expect.objectContaining({ by_hand: true, handed_over: false })]);
    await screen.findByText('Hand over the invoice');
    screen.getByText('Not sent');
    screen.getByText(/^INV-2026-0187 is issued, but not sent: email isn't set up on this server/);
    getButton('Copy Invoice Link');
    screen.getByRole('link', { name: 'Download PDF' });
    expect(document.body.textContent).not.toMatch(/Invoice sent|again/);
    expect(isPrimaryButton('Mark as handed over')).toBe(true);
    await pressButton('Mark as handed over');
    await screen.findByText('INV-2026-0187 marked as handed over');
    getButton('Undo');
    await screen.findByText('Invoice handed over, Apr 3, 2026');
    const activity = within(screen.getByRole('region', { name: 'Activity' }));
    for (const text of ['Handed over', 'By Mia']) activity.getByText(text);
    expect(screen.queryByRole('button', { name: 'Mark as handed over' })).toBeNull();
  });

  it('does not call an invoice sent when its email was kept', async () => {
    openPaymentPage({ ...UNSENT_BILLING, mails: [{ ...INVOICE_MAIL, status: 'kept', sent_at: null }] }, WITHOUT_MAIL);
    await screen.findByText('Not sent to ana@example.com');
    screen.getByText('Hand over the invoice');
    expect(document.body.textContent).not.toMatch(/Invoice sent|again/);
  });

  it('issues a corrected invoice when the job has changed', async () => {
    openPaymentPage({ ...UNSENT_BILLING, differs: true }, WITHOUT_MAIL);
    await screen.findByText('Differs from the invoice issued on Apr 3, 2026');
    screen.getByText('Issue the corrected invoice');
    await pressButton('Issue corrected invoice');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Issue corrected invoice?' }));
    expect(
      dialog.getByText(/ It replaces INV-2026-0187 of \$115.00, which is canceled with a credit note\. No email is sent/),
    ).toBeDefined();
  });
});
