import { act, screen, waitFor, within } from '@testing-library/react';
import { encodeQR } from 'qr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPage, playServer, press, refuse, waitForToasts } from './open-page.tsx';
import { findBill, INVOICED, NOTHING_TO_BILL, openPayment, PAID, PARTLY_PAID, PAYMENT_PATH } from './open-payment.ts';
import { BILLING, CUSTOMER, INVOICE, JOB, OWNER } from './people.ts';

const setWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => setWidth(1024));

const hrefOf = async (name: string | RegExp) => (await screen.findByRole<HTMLAnchorElement>('link', { name })).getAttribute('href');
const rows = (bill: HTMLElement) =>
  within(bill)
    .getAllByRole('row')
    .map((row) => row.textContent);
const region = async (name: string) => within(await screen.findByRole('region', { name }));
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });

describe('the bill', () => {
  it('shows job, title, customer and every row of the totals', async () => {
    openPayment();
    const bill = await findBill();
    screen.getByRole('heading', { level: 1, name: 'Payment' });
    expect(await hrefOf('#J26030042')).toBe(`/jobs/${JOB.id}`);
    screen.getByText('Complete', { selector: 'span' });
    for (const text of ['Roof repair', 'ana@example.com', 'Due Apr 6, 2026', 'Two tiles are missing.']) within(bill).getByText(text);
    expect(within(bill).getByText('Ana Rossi').getAttribute('href')).toBe(`/customers/${CUSTOMER.id}`);
    expect(rows(bill)).toEqual([
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

  it('has no row for a fee that is off', async () => {
    const { exact } = BILLING.document;
    openPayment({ document: { ...BILLING.document, fee: null, total: '$115.00', exact: { ...exact, fee: '0.00', total: '115.00' } } });
    expect(rows(await findBill()).slice(2)).toEqual(['Subtotal100.00', 'GST 15%15.00', 'Total$115.00']);
  });

  it('says what was paid and what is still due', async () => {
    openPayment({ ...INVOICED, ...PARTLY_PAID });
    expect(rows(await findBill()).slice(-3)).toEqual(['Paid50.00', 'Still due$65.00', 'With PayPal Fee67.25']);
    expect((await region('Invoice')).getAllByText('$65.00')).toHaveLength(2);
  });

  it('that is paid is no longer due', async () => {
    openPayment(PAID);
    expect(within(await findBill()).queryByText(/^Due/)).toBeNull();
  });

  it('is a list on a phone', async () => {
    setWidth(390);
    openPayment();
    const bill = await findBill();
    expect(within(bill).queryByRole('table')).toBeNull();
    expect(within(bill).getByRole('list', { name: 'Items' }).textContent).toBe('Tap115.001 × 115.00inc GST');
    within(bill).getByText('By bank transfer, no fee');
  });

  it.each<[string, Parameters<typeof openPayment>[0], string[], string | null]>([
    [
      'work to be done',
      { job: { ...BILLING.job, status: 'booked' } },
      ['Complete the job', 'Send the invoice', 'Paid'],
      'Complete the job',
    ],
    ['complete', {}, ['Complete (done)', 'Send the invoice', 'Paid'], 'Send the invoice'],
    ['sent', INVOICED, ['Complete (done)', 'Invoice sent, Apr 3, 2026 (done)', 'Paid'], 'Paid'],
    ['issued by hand', { ...INVOICED, mails: [] }, ['Complete (done)', 'Invoice issued, Apr 3, 2026 (done)', 'Paid'], 'Paid'],
    [
      'changed since',
      { ...INVOICED, differs: true },
      ['Complete (done)', 'Send the corrected invoice', 'Paid'],
      'Send the corrected invoice',
    ],
    [
      'paid in part',
      { ...INVOICED, ...PARTLY_PAID },
      ['Complete (done)', 'Invoice sent, Apr 3, 2026 (done)', 'Paid $50.00 of $115.00'],
      'Paid $50.00 of $115.00',
    ],
    ['paid', PAID, ['Complete (done)', 'Invoice sent, Apr 3, 2026 (done)', 'Paid, Apr 4, 2026 (done)'], null],
  ])('says where the job is: %s', async (_state, change, steps, current) => {
    openPayment(change);
    const items = within(await screen.findByRole('list', { name: 'Progress' })).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(steps);
    expect(items.find((item) => item.getAttribute('aria-current') === 'step')?.textContent ?? null).toBe(current);
  });
});

describe('the states of the page', () => {
  it('a missing job', async () => {
    openPage(PAYMENT_PATH, { 'GET /me': () => OWNER, 'GET /jobs/{id}/billing': () => refuse('NOT_FOUND', 'Job not found') });
    expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
  });

  it('an id that is none', async () => {
    openPage('/jobs/7/payment', { 'GET /me': () => OWNER, 'GET /jobs/7/billing': () => refuse('INVALID_INPUT', 'Wrong', { fields: {} }) });
    expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
  });

  it('is not for staff', async () => {
    openPayment({}, {}, { role: 'staff' });
    expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeDefined();
  });

  it('a failed read has Retry', async () => {
    let fails = true;
    openPayment({}, { [`GET /jobs/${JOB.id}/billing`]: () => (fails ? refuse('FORBIDDEN', 'Not now') : BILLING) });
    await screen.findByText('Not now');
    fails = false;
    await press('Retry');
    expect(await findBill()).toBeDefined();
  });

  it('a job that is deleted elsewhere keeps its last version, and nothing can be sent', async () => {
    const { queryClient } = openPayment();
    await findBill();
    playServer({ [`GET /jobs/${JOB.id}/billing`]: () => refuse('NOT_FOUND', 'Job not found') });
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('This job has been deleted. This is its last version.');
    expect(screen.queryByRole('button', { name: 'Send Payment Email' })).toBeNull();
  });

  it('a total of 0 can not be sent, and says why', async () => {
    openPayment(NOTHING_TO_BILL);
    await screen.findByText(/^There is nothing to invoice: add items or a fixed amount first/);
    expect(button('Send Payment Email').disabled).toBe(true);
    screen.getByText('No items found for this invoice.');
    screen.getByText('Nothing is due: this only marks the job as paid.');
    expect(button('Mark as Paid').disabled).toBe(false);
    expect(screen.queryByRole('button', { name: 'Record payment…' })).toBeNull();
    expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull();
  });

  it('a deleted customer', async () => {
    openPayment({ job: { ...BILLING.job, customer: null }, document: { ...BILLING.document, customer: null } });
    expect((await region('Invoice')).getByText('No Customer')).toBeDefined();
    screen.getByText(/^Customer email not found/);
    expect(screen.queryByRole('link', { name: 'Add an email' })).toBeNull();
  });

  it('a canceled job with an open invoice leads to the credit note', async () => {
    openPayment({ ...INVOICED, job: { ...BILLING.job, status: 'canceled' }, payment_link: null });
    await screen.findByText(/INV-2026-0187 of \$115.00 is still open/);
    for (const name of ['Send Payment Email', 'Mark as Paid']) expect(screen.queryByRole('button', { name })).toBeNull();
    await press('Cancel with a credit note');
    await screen.findByRole('alertdialog', { name: 'Cancel INV-2026-0187?' });
  });

  it('a canceled job that was never billed', async () => {
    openPayment({ job: { ...BILLING.job, status: 'canceled' }, payment_link: null });
    expect(await screen.findByText('This job is canceled: there is nothing to pay.')).toBeDefined();
    expect(screen.getByText('The link shows no invoice while the job is canceled.')).toBeDefined();
  });

  it.each([1024, 390])('a canceled job asks nobody for money, %i px wide', async (width) => {
    setWidth(width);
    openPayment({ job: { ...BILLING.job, status: 'canceled' } });
    const bill = await findBill();
    expect(within(bill).queryByText(BILLING.document.due)).toBeNull();
    expect(screen.queryByText('Open payment link')).toBeNull();
    expect(screen.queryByRole('button', { name: 'QR code' })).toBeNull();
  });

  it('a deposit that was requested, paid in part and paid', async () => {
    const job = { ...BILLING.job, status: 'booked' as const };
    const request = { ...BILLING.request, what: 'deposit' as const, amount: '40.00', fee: '1.50', total: '41.50' };
    const { server, queryClient } = openPayment({ job, deposit_amount: '40.00', request });
    await screen.findByText('A deposit of $40.00 was requested with the quote.');
    expect((await region('Pay on the spot')).getByText('$41.50')).toBeDefined();
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

  it('more was paid than is due', async () => {
    openPayment({ ...PAID, request: { ...BILLING.request, outstanding: '0.00', overpaid: '12.50' } });
    expect(await screen.findByText(/^\$12.50 more was paid than is due/)).toBeDefined();
  });

  it.each([
    [
      { bank_account_number: null, paypal_email: null },
      'This invoice shows no way to pay: there is no bank account or PayPal email.',
      'Add one in Settings',
    ],
    [{ paypal_email: null }, 'Customers can pay online with a QR code once you add your PayPal email.', 'Add it in Settings'],
    [{ bank_account_number: null }, 'Customers can pay by bank transfer once you add your account number.', 'Add it in Settings'],
  ])('%#: a way to pay that is missing leads to the settings', async (profile, sentence, link) => {
    openPayment('paypal_email' in profile ? { payment_link: null } : {}, {}, profile);
    await screen.findByText((_text, element) => element?.tagName === 'P' && element.textContent === `${sentence} ${link}`);
    expect(await hrefOf(link)).toBe('/settings?tab=general');
  });

  it('names no settings to people who may not change them', async () => {
    openPayment({ payment_link: null }, {}, { paypal_email: null, role: 'accountant' });
    await screen.findByText(/once you add your PayPal email/);
    expect(screen.queryByRole('link', { name: 'Add it in Settings' })).toBeNull();
  });

  it('follows what colleagues change on the job', async () => {
    const { server, queryClient } = openPayment();
    await findBill();
    server.billing = { ...server.billing, ...PAID };
    const query = queryClient.getQueryCache().find({ queryKey: ['invoices', 'billing', JOB.id] });
    expect(query?.meta?.topics).toContain('jobs');
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await screen.findByText('Paid, Apr 4, 2026');
  });
});

describe('the QR code', () => {
  it('is that of the payment link at the highest level, 300 px wide and white, with the link below it', async () => {
    openPayment();
    const code = await screen.findByRole('img', { name: 'QR code of the payment link' });
    expect([code.getAttribute('width'), code.getAttribute('height')]).toEqual(['300', '300']);
    expect(code.querySelector('rect')?.getAttribute('fill')).toBe('#fff');
    const expected = encodeQR(BILLING.payment_link ?? '', 'raw', { ecc: 'high', border: 4 });
    expect(code.getAttribute('viewBox')).toBe(`0 0 ${expected.length} ${expected.length}`);
    expect(drawnModules(code.querySelector('path')?.getAttribute('d') ?? '', expected.length)).toEqual(expected);
    expect(await hrefOf('Open payment link')).toBe(BILLING.payment_link);
    expect((await region('Pay on the spot')).getByText('$118.74')).toBeDefined();
  });

  it('is one tap away on a phone', async () => {
    setWidth(390);
    openPayment();
    await press('QR code');
    const sheet = within(await screen.findByRole('dialog', { name: 'Pay $118.74' }));
    await sheet.findByRole('img', { name: 'QR code of the payment link' });
    expect(sheet.getByRole('link', { name: 'Open payment link' })).toBeDefined();
  });

  it('is left out of a link that no code can hold', async () => {
    openPayment({ payment_link: `https://www.paypal.com/?item_name=${'x'.repeat(2000)}` });
    await screen.findByText('This link is too long for a QR code.');
    expect(screen.getByRole('link', { name: 'Open payment link' })).toBeDefined();
  });
});

/** The path of the drawing, back as dark and light modules. */
function drawnModules(path: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    modules[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  return modules;
}

describe('the links', () => {
  it('copies the public link', async () => {
    const copied: string[] = [];
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
    openPayment();
    await press('Copy Invoice Link');
    await waitForToasts('Invoice link copied to clipboard');
    expect(copied).toEqual([`${window.location.origin}/invoice/AbCdEf123456`]);
  });

  it('says what to do when the browser forbids copying', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    openPayment();
    await press('Copy Invoice Link');
    await waitForToasts('Your browser blocked copying. Open Preview and copy the link from there.');
    expect(await hrefOf('Preview')).toBe('/invoice/AbCdEf123456');
  });

  it('Preview opens the public page in a new tab', async () => {
    openPayment();
    const link = await screen.findByRole('link', { name: 'Preview' });
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual(['/invoice/AbCdEf123456', '_blank']);
  });

  it('the PDF is that of the job while nothing was sent, then of the invoice', async () => {
    const { server, queryClient } = openPayment();
    expect(await hrefOf('Download PDF')).toBe(`/api/jobs/${JOB.id}/invoice.pdf`);
    server.billing = { ...server.billing, ...INVOICED };
    await act(() => queryClient.invalidateQueries({ queryKey: ['invoices'] }));
    await waitFor(async () => expect(await hrefOf('Download PDF')).toBe(`/api/invoices/${INVOICE.id}/pdf`));
  });

  it('Open in mail app has the link in its body', async () => {
    openPayment();
    const url = new URL((await hrefOf('Open in mail app')) ?? '');
    expect([url.protocol, url.pathname]).toEqual(['mailto:', 'ana@example.com']);
    expect(url.searchParams.get('subject')).toBe('Invoice #J26030042 from Harbour Plumbing');
    expect(url.searchParams.get('body')).toContain(`\r\n${window.location.origin}/invoice/AbCdEf123456\r\n`);
    expect(url.searchParams.get('body')).toContain('To pay: $118.74, or $115.00 by bank transfer. Due Apr 6, 2026.');
  });
});
