import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { BILLING, INVOICE, INVOICE_MAIL } from './billing-fixtures.ts';
import { ADMIN_USER, JOB } from './fixtures.ts';
import {
  buildInvoicePage,
  findInvoiceLink,
  getInvoiceNumbers,
  OLDEST_INVOICES_CALL,
  OVERDUE_INVOICE,
  openInvoiceList,
} from './open-invoices.ts';
import { failWith, pressButton, waitForToasts } from './open-page.tsx';

const setViewportWidth = (width: number) => window.happyDOM.setViewport({ width });
afterEach(() => {
  setViewportWidth(1024);
  vi.restoreAllMocks();
});

async function clickMenuItem(name: string): Promise<void> {
  const item = await screen.findByRole('menuitem', { name });
  await act(async () => fireEvent.click(item));
}

it.each([1440, 390])('copies the invoice number and downloads the PDF from the row menu at %s px', async (width) => {
  setViewportWidth(width);
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void copied.push(text));
  const downloads: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(`${this.getAttribute('href')} as ${this.download}`);
  });
  openInvoiceList();
  await findInvoiceLink('INV-2026-0187');
  await pressButton('More actions for INV-2026-0187');
  await clickMenuItem('Copy invoice number');
  await waitForToasts('Invoice number copied');
  expect(copied).toEqual(['INV-2026-0187']);
  await pressButton('More actions for INV-2026-0187');
  await clickMenuItem('Download PDF');
  expect(downloads).toEqual([`/api/invoices/${OVERDUE_INVOICE.id}/pdf as INV-2026-0187.pdf`]);
});

it('marks an invoice as paid from its menu', async () => {
  const recorded: unknown[] = [];
  openInvoiceList('/invoices', {
    'POST /payments': (input) => {
      recorded.push(input);
      return { ...BILLING, job: { ...BILLING.job, status: 'paid' } };
    },
  });
  await findInvoiceLink('INV-2026-0187');
  await pressButton('More actions for INV-2026-0187');
  await clickMenuItem('Mark as Paid');
  await waitForToasts('Job marked as paid');
  expect(recorded).toEqual([{ id: expect.any(String), job_id: JOB.id, amount: null, note: null, outstanding: '318.60' }]);
});

it('sends changed content and a changed balance under a new id after a lost response, and again after ID_TAKEN', async () => {
  const ids: { mail: string[]; payment: string[] } = { mail: [], payment: [] };
  const server = { content_hash: 'hash-1', balance: '318.60', respond: (): unknown => Promise.reject(new TypeError('lost')) };
  const { queryClient } = openInvoiceList('/invoices', {
    [OLDEST_INVOICES_CALL]: () => buildInvoicePage({ ...OVERDUE_INVOICE, balance: server.balance }),
    [`GET /jobs/${JOB.id}/billing`]: () => ({
      ...BILLING,
      invoice: { ...INVOICE, id: OVERDUE_INVOICE.id },
      differs: false,
      content_hash: server.content_hash,
    }),
    [`POST /jobs/${JOB.id}/invoices`]: (input) => {
      ids.mail.push((input as { mail_id: string }).mail_id);
      return server.respond();
    },
    'POST /payments': (input) => {
      ids.payment.push((input as { id: string }).id);
      return server.respond();
    },
  });
  await findInvoiceLink('INV-2026-0187');
  const sendBoth = async (count: number) => {
    for (const name of ['Send Payment Email', 'Mark as Paid']) {
      await pressButton('More actions for INV-2026-0187');
      await clickMenuItem(name);
    }
    await waitFor(() => expect([ids.mail.length, ids.payment.length]).toEqual([count, count]));
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  };
  await sendBoth(1);
  await sendBoth(2);
  Object.assign(server, {
    content_hash: 'hash-2',
    balance: '218.60',
    respond: () => failWith('ID_TAKEN', 'A record with this id already exists.'),
  });
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(document.body.textContent).toContain('218.60'));
  await sendBoth(3);
  await sendBoth(4);
  for (const [first, second, third, fourth] of [ids.mail, ids.payment]) {
    expect(second).toBe(first);
    expect(new Set([first, third, fourth]).size).toBe(3);
  }
});

it.each([
  ['sends an unchanged invoice', false],
  ['shows the payment page of a changed job instead of sending its invoice', true],
])('%s from its menu', async (_name, differs) => {
  const sent: unknown[] = [];
  const billing = { ...BILLING, invoice: { ...INVOICE, id: OVERDUE_INVOICE.id }, differs };
  const { router } = openInvoiceList('/invoices', {
    [`GET /jobs/${JOB.id}/billing`]: () => billing,
    [`POST /jobs/${JOB.id}/invoices`]: (input) => {
      sent.push(input);
      return { billing: { ...billing, mails: [INVOICE_MAIL] }, mail: 'queued' };
    },
  });
  await findInvoiceLink('INV-2026-0187');
  await pressButton('More actions for INV-2026-0187');
  await clickMenuItem('Send Payment Email');
  const toast = differs
    ? 'This job has changed since it was invoiced. Please check it before you send the invoice.'
    : 'Sending INV-2026-0187 to ana@example.com';
  await waitForToasts(toast);
  await waitFor(() => expect(router.state.location.pathname).toBe(differs ? `/jobs/${JOB.id}/payment` : '/invoices'));
  const call = { mail_id: expect.any(String) as string, content_hash: 'hash-1', by_hand: false, handed_over: true };
  expect(sent).toEqual(differs ? [] : [call]);
});

it('shows the invoice number when the browser blocks copying', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  openInvoiceList();
  await findInvoiceLink('INV-2026-0187');
  await pressButton('More actions for INV-2026-0187');
  await clickMenuItem('Copy invoice number');
  await waitForToasts('Your browser blocked copying. The number is INV-2026-0187.');
  expect(getInvoiceNumbers()).toHaveLength(5);
});

it('says which invoices are not sent yet, marks them as handed over from their menu, and undoes that', async () => {
  const unsent = { ...OVERDUE_INVOICE, sent_at: null, shown_status: 'unsent' as const };
  openInvoiceList('/invoices', {
    'GET /me': () => ({ ...ADMIN_USER, sends_mail: false }),
    [OLDEST_INVOICES_CALL]: () => buildInvoicePage(unsent),
    [`POST /invoices/${unsent.id}/hand-over`]: () => BILLING,
    [`POST /invoices/${unsent.id}/undo-hand-over`]: () => BILLING,
  });
  await findInvoiceLink('INV-2026-0187');
  screen.getByText('Not sent');
  await pressButton('More actions for INV-2026-0187');
  expect(screen.queryByRole('menuitem', { name: 'Send Payment Email' })).toBeNull();
  await clickMenuItem('Mark as handed over');
  await screen.findByText('INV-2026-0187 marked as handed over');
  await pressButton('Undo');
  await screen.findByText('INV-2026-0187 is not handed over');
});
