import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { encodeQR } from 'qr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BILLING, INVOICE } from './billing-fixtures.ts';
import { ADMIN_USER, CUSTOMER, JOB } from './fixtures.ts';
import { failWith, mockServer, openPage, pressButton, waitForToasts } from './open-page.tsx';
import {
  chooseMenuItem,
  FREE_BILLING,
  findInvoice,
  INVOICED_BILLING,
  openPaymentPage,
  PAID_BILLING,
  PARTLY_PAID_BILLING,
  PAYMENT_PATH,
} from './open-payment.ts';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => setViewportWidth(1024));

const findLinkHref = async (name: string | RegExp) => (await screen.findByRole<HTMLAnchorElement>('link', { name })).getAttribute('href');
const getRowTexts = (bill: HTMLElement) =>
  within(bill)
    .getAllByRole('row')
    .map((row) => row.textContent);
const findRegion = async (name: string) => within(await screen.findByRole('region', { name }));
const getButton = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });

describe('invoice on the payment page', () => {
  it('shows the job, customer, items and every total', async () => {
    openPaymentPage();
    const bill = await findInvoice();
    screen.getByRole('heading', { level: 1, name: 'Payment' });
    expect(await findLinkHref('#J26030042')).toBe(`/jobs/${JOB.id}`);
    screen.getByText('Complete', { selector: 'span' });
    for (const text of ['Roof repair', 'ana@example.com', 'Due Apr 6, 2026', 'Two tiles are missing.']) within(bill).getByText(text);
    expect(within(bill).getByText('Ana Rossi').getAttribute('href')).toBe(`/customers/${CUSTOMER.id}`);
    expect(getRowTexts(bill)).toEqual([
      'ItemQuantityUnit priceGSTTotal',
      'Tap1115.00inc GST115.00',
      'Subtotal100.00',
      'GST 15%15.00',
      'PayPal Fee3.74',
      'Total$118.74',
      'By bank transfer, no fee115.00',
    ]);
    expect(document.title).toBe('Payment · Callout');
  });

  it('hides the PayPal fee row when fees are off', async () => {
    const { exact } = BILLING.document;
    openPaymentPage({ document: { ...BILLING.document, fee: null, total: '$115.00', exact: { ...exact, fee: '0.00', total: '115.00' } } });
    expect(getRowTexts(await findInvoice()).slice(2)).toEqual(['Subtotal100.00', 'GST 15%15.00', 'Total$115.00']);
  });

  it('shows the paid amount and the amount still due', async () => {
    openPaymentPage({ ...INVOICED_BILLING, ...PARTLY_PAID_BILLING });
    expect(getRowTexts(await findInvoice()).slice(-3)).toEqual(['Paid50.00', 'Still due$65.00', 'With PayPal Fee67.25']);
    expect((await findRegion('Invoice')).getAllByText('$65.00')).toHaveLength(2);
  });

  it('hides the due date once paid', async () => {
    openPaymentPage(PAID_BILLING);
    expect(within(await findInvoice()).queryByText(/^Due/)).toBeNull();
  });

  it('lists items instead of a table on a phone', async () => {
    setViewportWidth(390);
    openPaymentPage();
    const bill = await findInvoice();
    expect(within(bill).queryByRole('table')).toBeNull();
    expect(within(bill).getByRole('list', { name: 'Items' }).textContent).toBe('Tap115.001 × 115.00inc GST');
    within(bill).getByText('By bank transfer, no fee');
  });

  it.each<[string, Parameters<typeof openPaymentPage>[0], string[], string | null]>([
    ['incomplete', { job: { ...BILLING.job, status: 'booked' } }, ['Complete the job', 'Send the invoice', 'Paid'], 'Complete the job'],
    ['complete', {}, ['Complete (done)', 'Send the invoice', 'Paid'], 'Send the invoice'],
    ['sent', INVOICED_BILLING, ['Complete (done)', 'Invoice sent, Apr 3, 2026 (done)', 'Paid'], 'Paid'],
    [
      'handed over',
      { ...INVOICED_BILLING, mails: [], invoice: { ...INVOICE, handed_over_by: 'Mia' } },
      ['Complete (done)', 'Invoice handed over, Apr 3, 2026 (done)', 'Paid'],
      'Paid',
    ],
    [
      'issued, but not sent',
      { ...INVOICED_BILLING, mails: [], invoice: { ...INVOICE, sent_at: null } },
      ['Complete (done)', 'Send the invoice', 'Paid'],
      'Send the invoice',
    ],
    [
      'overpaid',
      {
        job: { ...BILLING.job, status: 'booked' },
        paid_amount: '150.00',
        request: { ...BILLING.request, outstanding: '0.00', overpaid: '35.00' },
      },
      ['Complete the job', 'No invoice sent', 'Paid $150.00, $35.00 too much (done)'],
      'Complete the job',
    ],
    [
      'changed since it was sent',
      { ...INVOICED_BILLING, differs: true },
      ['Complete (done)', 'Send the corrected invoice', 'Paid'],
      'Send the corrected invoice',
    ],
    [
      'partly paid',
      { ...INVOICED_BILLING, ...PARTLY_PAID_BILLING },
      ['Complete (done)', 'Invoice sent, Apr 3, 2026 (done)', 'Paid $50.00 of $115.00'],
      'Paid $50.00 of $115.00',
    ],
    ['paid', PAID_BILLING, ['Complete (done)', 'Invoice sent, Apr 3, 2026 (done)', 'Paid, Apr 4, 2026 (done)'], null],
  ])('shows the progress of a job that is %s', async (_state, change, steps, current) => {
    openPaymentPage(change);
    const items = within(await screen.findByRole('list', { name: 'Progress' })).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(steps);
    expect(items.find((item) => item.getAttribute('aria-current') === 'step')?.textContent ?? null).toBe(current);
  });
});

describe('payment page', () => {
  it('shows a not-found page for a missing job', async () => {
    openPage(PAYMENT_PATH, { 'GET /me': () => ADMIN_USER, 'GET /jobs/{id}/billing': () => failWith('NOT_FOUND', 'Job not found') });
    expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
  });

  it('shows a not-found page for an invalid job id', async () => {
    openPage('/jobs/7/payment', {
      'GET /me': () => ADMIN_USER,
      'GET /jobs/7/billing': () => failWith('INVALID_INPUT', 'Wrong', { fields: {} }),
    });
    expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
  });

  it('denies access to staff', async () => {
    openPaymentPage({}, {}, { role: 'staff' });
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeDefined();
  });

  it('reloads a failed page on Retry', async () => {
    let fails = true;
    openPaymentPage({}, { [`GET /jobs/${JOB.id}/billing`]: () => (fails ? failWith('FORBIDDEN', 'Not now') : BILLING) });
    await screen.findByText('Not now');
    fails = false;
    await pressButton('Retry');
    expect(await findInvoice()).toBeDefined();
  });

  it('shows the last version of a job deleted elsewhere without its actions', async () => {
    const { queryClient } = openPaymentPage();
    await findInvoice();
    mockServer({ [`GET /jobs/${JOB.id}/billing`]: () => failWith('NOT_FOUND', 'Job not found') });
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('This job has been deleted. This is the last saved version.');
    expect(screen.queryByRole('button', { name: 'Send Payment Email' })).toBeNull();
  });

  it('disables sending an invoice with a total of 0 and explains why', async () => {
    openPaymentPage(FREE_BILLING);
    await screen.findByText(/^There is nothing to invoice: add items or a fixed amount first/);
    expect(getButton('Send Payment Email').disabled).toBe(true);
    screen.getByText('No items found for this invoice.');
    screen.getByText('Nothing is due. This only marks the job as paid.');
    expect(getButton('Mark as Paid').disabled).toBe(false);
    expect(screen.queryByRole('button', { name: 'Record payment…' })).toBeNull();
    expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull();
  });

  it('shows No Customer when the customer was deleted', async () => {
    openPaymentPage({ job: { ...BILLING.job, customer: null }, document: { ...BILLING.document, customer: null } });
    expect((await findRegion('Invoice')).getByText('No Customer')).toBeDefined();
    screen.getByText(/^Customer email not found/);
    expect(screen.queryByRole('link', { name: 'Add an email' })).toBeNull();
    expect(await findLinkHref('Choose a customer')).toBe(`/jobs/${JOB.id}/edit`);
  });

  it.each([null, BILLING.document.customer])('warns before an invoice is issued that names no one: %o', async (customer) => {
    const document = { ...BILLING.document, customer };
    openPaymentPage({ job: { ...BILLING.job, customer: null }, document, current: document });
    await findInvoice();
    await chooseMenuItem('More actions', 'Issue without email');
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent?.includes('This job has no customer, so the invoice names no one.')).toBe(customer === null);
  });

  it('offers a credit note for a canceled job with an open invoice', async () => {
    openPaymentPage({ ...INVOICED_BILLING, job: { ...BILLING.job, status: 'canceled' }, payment_link: null });
    await screen.findByText(/INV-2026-0187 of \$115.00 is still open/);
    for (const name of ['Send Payment Email', 'Mark as Paid']) expect(screen.queryByRole('button', { name })).toBeNull();
    await pressButton('Cancel with a credit note');
    await screen.findByRole('alertdialog', { name: 'Cancel INV-2026-0187?' });
  });

  it('shows that nothing is due for a canceled job without an invoice', async () => {
    openPaymentPage({ job: { ...BILLING.job, status: 'canceled' }, payment_link: null });
    expect(await screen.findByText('This job is canceled. There is nothing to pay.')).toBeDefined();
    expect(screen.getByText('The link shows no invoice while the job is canceled.')).toBeDefined();
  });

  it.each([1024, 390])('hides every payment request for a canceled job at %i px', async (width) => {
    setViewportWidth(width);
    openPaymentPage({ job: { ...BILLING.job, status: 'canceled' } });
    const bill = await findInvoice();
    expect(within(bill).queryByText(BILLING.document.due)).toBeNull();
    expect(screen.queryByText('Open payment link')).toBeNull();
    expect(screen.queryByRole('button', { name: 'QR code' })).toBeNull();
  });

  it('shows a deposit as requested, partly paid and paid', async () => {
    const job = { ...BILLING.job, status: 'booked' as const };
    const request = { ...BILLING.request, what: 'deposit' as const, amount: '40.00', fee: '1.50', total: '41.50' };
    const { server, queryClient } = openPaymentPage({ job, deposit_amount: '40.00', request });
    await screen.findByText('A deposit of $40.00 was requested with the quote.');
    expect((await findRegion('Pay on the spot')).getByText('$41.50')).toBeDefined();
    server.billing = { ...server.billing, paid_amount: '10.00', request: { ...request, outstanding: '105.00', amount: '30.00' } };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('A deposit of $40.00 was requested with the quote. $30.00 of it is not paid yet.');
    server.billing = { ...server.billing, request: { ...BILLING.request, outstanding: '105.00', amount: '105.00' } };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await waitFor(() => expect(screen.queryByText(/deposit of/i)).toBeNull());
    server.billing = { ...server.billing, paid_amount: '40.00', request: { ...BILLING.request, outstanding: '75.00', amount: '75.00' } };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('The deposit of $40.00 is paid.');
  });

  it('shows an overpayment', async () => {
    openPaymentPage({ ...PAID_BILLING, request: { ...BILLING.request, outstanding: '0.00', overpaid: '12.50' } });
    expect(await screen.findByText(/^\$12.50 more was paid than is due/)).toBeDefined();
  });

  it.each([
    [
      { bank_account_number: null, paypal_email: null },
      "Customers can't pay this invoice yet: it has no bank account or PayPal email.",
      'Add one in Settings',
    ],
    [{ paypal_email: null }, 'Customers can pay online with a QR code once you add your PayPal email.', 'Add it in Settings'],
    [{ bank_account_number: null }, 'Customers can pay by bank transfer once you add your account number.', 'Add it in Settings'],
  ])('links to settings when a payment method is missing: %#', async (profile, sentence, link) => {
    openPaymentPage('paypal_email' in profile ? { payment_link: null } : {}, {}, profile);
    await screen.findByText((_text, element) => element?.tagName === 'P' && element.textContent === `${sentence} ${link}`);
    expect(await findLinkHref(link)).toBe('/settings?tab=general');
  });

  it('hides the settings link from people who cannot edit settings', async () => {
    openPaymentPage({ payment_link: null }, {}, { paypal_email: null, role: 'accountant' });
    await screen.findByText(/once you add your PayPal email/);
    expect(screen.queryByRole('link', { name: 'Add it in Settings' })).toBeNull();
  });

  it('updates when a colleague changes the job', async () => {
    const { server, queryClient } = openPaymentPage();
    await findInvoice();
    server.billing = { ...server.billing, ...PAID_BILLING };
    const query = queryClient.getQueryCache().find({ queryKey: ['invoices', 'billing', JOB.id] });
    expect(query?.meta?.topics).toContain('jobs');
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('Paid, Apr 4, 2026');
  });
});

describe('payment QR code', () => {
  it('encodes the payment link with high error correction, 300 px wide on white, above the link itself', async () => {
    openPaymentPage();
    const code = await screen.findByRole('img', { name: 'QR code of the payment link' });
    expect([code.getAttribute('width'), code.getAttribute('height')]).toEqual(['300', '300']);
    expect(code.querySelector('rect')?.getAttribute('fill')).toBe('#fff');
    const expected = encodeQR(BILLING.payment_link ?? '', 'raw', { ecc: 'high', border: 4 });
    expect(code.getAttribute('viewBox')).toBe(`0 0 ${expected.length} ${expected.length}`);
    expect(parseDrawnModules(code.querySelector('path')?.getAttribute('d') ?? '', expected.length)).toEqual(expected);
    expect(await findLinkHref('Open payment link')).toBe(BILLING.payment_link);
    expect((await findRegion('Pay on the spot')).getByText('$118.74')).toBeDefined();
  });

  it('opens in a sheet on a phone', async () => {
    setViewportWidth(390);
    openPaymentPage();
    await pressButton('QR code');
    const sheet = within(await screen.findByRole('dialog', { name: 'Pay $118.74' }));
    await sheet.findByRole('img', { name: 'QR code of the payment link' });
    expect(sheet.getByRole('link', { name: 'Open payment link' })).toBeDefined();
  });

  it('is omitted when the payment link is too long', async () => {
    openPaymentPage({ payment_link: `https://www.paypal.com/?item_name=${'x'.repeat(2000)}` });
    await screen.findByText('This link is too long for a QR code.');
    expect(screen.getByRole('link', { name: 'Open payment link' })).toBeDefined();
  });
});

/** Parses the SVG path back into a grid of modules, where true is dark. */
function parseDrawnModules(path: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    modules[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  return modules;
}

describe('sharing an invoice from the payment page', () => {
  it('copies the public invoice link', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    openPaymentPage();
    await pressButton('Copy Invoice Link');
    await waitForToasts('Invoice link copied to clipboard');
    expect(copied).toEqual([`${window.location.origin}/invoice/AbCdEf123456`]);
  });

  it('suggests Preview when the browser blocks copying', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    openPaymentPage();
    await pressButton('Copy Invoice Link');
    await waitForToasts('Your browser blocked copying. Open Preview and copy the link from there.');
    expect(await findLinkHref('Preview')).toBe('/invoice/AbCdEf123456');
  });

  it('opens the public page in a new tab when Preview is pressed', async () => {
    openPaymentPage();
    const link = await screen.findByRole('link', { name: 'Preview' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/invoice/AbCdEf123456', '_blank']);
  });

  it("downloads the job's PDF before the invoice is sent, and the invoice's PDF afterwards", async () => {
    const { server, queryClient } = openPaymentPage();
    expect(await findLinkHref('Download PDF')).toBe(`/api/jobs/${JOB.id}/invoice.pdf`);
    server.billing = { ...server.billing, ...INVOICED_BILLING };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await waitFor(async () => expect(await findLinkHref('Download PDF')).toBe(`/api/invoices/${INVOICE.id}/pdf`));
  });

  it('includes the public link in the email opened in the mail app', async () => {
    openPaymentPage();
    const url = new URL((await findLinkHref('Open in mail app')) ?? '');
    expect([url.protocol, url.pathname]).toEqual(['mailto:', 'ana@example.com']);
    expect(url.searchParams.get('subject')).toBe('Invoice #J26030042 from Harbour Plumbing');
    expect(url.searchParams.get('body')).toContain(`\r\n${window.location.origin}/invoice/AbCdEf123456\r\n`);
    expect(url.searchParams.get('body')).toContain('Amount due: $118.74, or $115.00 by bank transfer. Due Apr 6, 2026.');
  });
});

it('requests no payment after the invoice was canceled, like the link', async () => {
  const canceled = { ...INVOICE, state: 'credited' as const, shown_status: 'canceled' as const };
  openPaymentPage({ ...PARTLY_PAID_BILLING, invoices: [canceled], payment_link: null });
  const bill = within(await screen.findByRole('region', { name: 'Invoice' }));
  bill.getByText('Not invoiced');
  expect(bill.getAllByText('Remaining')).toHaveLength(2);
  expect(document.body.textContent).not.toMatch(/Still due|With PayPal Fee|QR code/);
});

it('asks for a new invoice or a refund after the invoice of a paid job was canceled', async () => {
  const canceled = { ...INVOICE, state: 'credited' as const, shown_status: 'canceled' as const };
  const { server, queryClient } = openPaymentPage({ ...PAID_BILLING, invoice: null, invoices: [canceled] });
  await screen.findByText('$115.00 was paid, but its invoice was canceled. Issue a new one, or refund it and reverse the payment.');
  expect(screen.getByRole('list', { name: 'Progress' }).textContent).toContain('Send the invoice');
  server.billing = { ...server.billing, job: { ...BILLING.job, status: 'canceled' } };
  await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
  await screen.findByText('This job is canceled, but $115.00 was paid. Refund it and reverse the payment.');
  expect(screen.queryByText(/There is nothing to pay/)).toBeNull();
});

it('cancels an invoice with a credit note, and its job if requested', async () => {
  const sent: unknown[] = [];
  const { server } = openPaymentPage(INVOICED_BILLING, {
    [`POST /invoices/${INVOICE.id}/credit`]: (input) => {
      sent.push(input);
      server.billing = { ...BILLING, invoices: [{ ...INVOICE, state: 'credited', shown_status: 'canceled' }] };
      return server.billing;
    },
  });
  await findInvoice();
  await chooseMenuItem('More actions for INV-2026-0187', 'Cancel with a credit note');
  const question = within(await screen.findByRole('alertdialog', { name: 'Cancel INV-2026-0187?' }));
  fireEvent.click(question.getByRole('checkbox', { name: 'Cancel the job, too' }));
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel with a credit note' })));
  await waitForToasts('Job and INV-2026-0187 canceled');
  expect(sent).toEqual([{ credit_id: expect.any(String), reason: null, cancel_job: true }]);
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  screen.getByText('Send the invoice');
});

it('closes the question if a colleague has already canceled the invoice', async () => {
  openPaymentPage(INVOICED_BILLING, {
    [`POST /invoices/${INVOICE.id}/credit`]: () => failWith('INVOICE_CLOSED', 'This invoice has already been replaced or canceled.'),
  });
  await findInvoice();
  await chooseMenuItem('More actions for INV-2026-0187', 'Cancel with a credit note');
  const question = within(await screen.findByRole('alertdialog', { name: 'Cancel INV-2026-0187?' }));
  question.getByRole('button', { name: 'Keep invoice' });
  await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel with a credit note' })));
  await waitForToasts('Failed to cancel invoice: This invoice has already been replaced or canceled.');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});
