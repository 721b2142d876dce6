import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buildPublicInvoice, getAmountCardRows, openPublicInvoice, waitForInvoice } from './open-public-invoice.tsx';
import { getTableRows } from './open-public-quote.tsx';

const openInvoice = async (invoice = buildPublicInvoice()) => {
  openPublicInvoice(invoice);
  await waitForInvoice();
};
const getTab = (name: RegExp) => screen.getByRole('tab', { name });
const getSelectedTab = () => screen.getByRole('tab', { selected: true }).textContent;
const getPanel = (method: 'online' | 'bank') => {
  const found = document.getElementById(`${method}-panel`);
  if (!found) throw new Error(`No panel found for ${method}`);
  return found;
};
const findPayLink = () => screen.queryByRole('link', { name: /^Pay / });
const clickCopyButton = async (name: string) => {
  const [button] = screen.getAllByRole('button', { name });
  await act(async () => button?.click());
};

afterEach(() => vi.restoreAllMocks());

describe('payment methods', () => {
  it('show both prices on their tabs, with online payment selected first', async () => {
    await openInvoice();
    expect(screen.getByRole('heading', { name: 'Select a payment method' })).toBeDefined();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Online Payment $118.74',
      'Internet Banking $115.00',
    ]);
    expect(getSelectedTab()).toBe('Online Payment $118.74');
  });

  it('open PayPal in a new tab', async () => {
    await openInvoice();
    expect(getPanel('online').textContent).toContain('Quick and secure PayPal payment');
    expect(getTableRows(getPanel('online'))).toEqual(['Items and GST | 115.00', 'PayPal Fee | 3.74', 'Total online | $118.74']);
    expect(screen.getByText('Secure online payment')).toBeDefined();
    const link = findPayLink();
    expect(link?.textContent).toBe('Pay $118.74');
    expect([link?.getAttribute('target'), link?.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
    const { searchParams } = new URL(link?.getAttribute('href') ?? '');
    expect(['amount', 'currency_code', 'item_name'].map((name) => searchParams.get(name))).toEqual([
      '118.74',
      'NZD',
      'Invoice #J25010042 - Roof',
    ]);
  });

  it('explain after PayPal is opened that the company must confirm the payment', async () => {
    await openInvoice();
    const link = findPayLink();
    link?.addEventListener('click', (event) => event.preventDefault());
    if (link) fireEvent.click(link);
    expect(screen.getByText('Your payment will appear here once Tāne Plumbing & Gas confirms it.')).toBeDefined();
  });

  it('show the bank transfer amount without the PayPal fee', async () => {
    await openInvoice();
    fireEvent.click(getTab(/Internet Banking/));
    expect(getAmountCardRows()).toEqual(['$115.00 | NZD', 'Due Jan 5, 2025']);
    expect(getPanel('bank').textContent).toBe(
      'Secure bank transferAmount$115.00Bank nameKiwibankAccount number38-9000-0123456-00Payment Reference#J25010042' +
        'Please include the payment reference when making your transfer',
    );
    expect(findPayLink()).toBeNull();
    fireEvent.click(getTab(/Online Payment/));
    expect(getAmountCardRows()[0]).toBe('$118.74 | NZD');
  });

  it('select tabs with the arrow keys, Home and End', async () => {
    await openInvoice();
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    getTab(/Online Payment/).focus();
    for (const [key, name] of [
      ['ArrowRight', 'Internet Banking $115.00'],
      ['ArrowRight', 'Online Payment $118.74'],
      ['End', 'Internet Banking $115.00'],
      ['ArrowLeft', 'Online Payment $118.74'],
      ['ArrowLeft', 'Internet Banking $115.00'],
      ['Home', 'Online Payment $118.74'],
      ['a', 'Online Payment $118.74'],
    ] as const) {
      press(key);
      expect([getSelectedTab(), document.activeElement?.textContent]).toEqual([name, name]);
    }
    expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  });

  it('show only the panel of the selected tab but always print the bank details', async () => {
    await openInvoice();
    expect(getPanel('online').className).not.toContain('hidden');
    expect(getPanel('bank').className).toContain('hidden print:block');
    fireEvent.click(getTab(/Internet Banking/));
    expect(getPanel('online').className).toContain('hidden');
    expect(getPanel('online').className).not.toContain('print:block');
    expect(getPanel('bank').className).not.toContain('hidden');
  });
});

describe('payment method that is not set up', () => {
  it('selects internet banking when there is no PayPal account', async () => {
    await openInvoice(buildPublicInvoice({ overrides: { payment_link: null } }));
    expect(getSelectedTab()).toBe('Internet Banking $115.00');
    expect(getAmountCardRows()[0]).toBe('$115.00 | NZD');
    fireEvent.click(getTab(/Online Payment/));
    expect(getPanel('online').textContent).toBe('Online payment is not available for this invoice.');
    expect(getTab(/Online Payment/).textContent).toBe('Online Payment Not available');
    expect([findPayLink(), screen.queryByRole('button', { name: 'Copy account number' })?.closest('[data-docked]')]).toEqual([null, null]);
  });

  it('selects online payment when there are no bank details', async () => {
    await openInvoice(buildPublicInvoice({ overrides: { bank_name: null, bank_account_number: null } }));
    expect(getSelectedTab()).toBe('Online Payment $118.74');
    fireEvent.click(getTab(/Internet Banking/));
    expect(getPanel('bank').textContent).toContain('Please ask Tāne Plumbing & Gas for the account number.');
    expect(getPanel('bank').textContent).toContain('Payment Reference#J25010042');
    expect(screen.queryByText(/^Bank name|^Account number/)).toBeNull();
  });

  it('asks the customer to contact the company when neither is set up', async () => {
    await openInvoice(buildPublicInvoice({ overrides: { payment_link: null, bank_name: null, bank_account_number: null } }));
    expect(
      screen.getByText('Online payment and bank details are not available. Please contact Tāne Plumbing & Gas to arrange payment.'),
    ).toBeDefined();
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.getByText('#J25010042')).toBeDefined();
  });
});

describe('copying payment details', () => {
  const copyWith = async (writeText: (text: string) => Promise<void>) => {
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    await openInvoice();
    fireEvent.click(getTab(/Internet Banking/));
  };

  it.each([
    ['Copy bank name', 'Kiwibank', 'Bank name copied to clipboard!'],
    ['Copy account number', '38-9000-0123456-00', 'Account number copied to clipboard!'],
    ['Copy payment reference', '#J25010042', 'Payment reference copied to clipboard!'],
  ])('copies a value and confirms the copy: "%s" copies %s', async (button, text, message) => {
    const writeText = vi.fn(() => Promise.resolve());
    await copyWith(writeText);
    await clickCopyButton(button);
    await waitFor(() => expect(screen.getByText(message).closest('[role=status]')).not.toBeNull());
    expect(writeText).toHaveBeenCalledExactlyOnceWith(text);
  });

  it('copies the account number from the button at the bottom of the screen', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    await copyWith(writeText);
    const button = screen.getByText('Copy account number', { selector: '[data-docked] button' });
    await act(async () => button.click());
    expect(writeText).toHaveBeenCalledExactlyOnceWith('38-9000-0123456-00');
  });

  it('selects the text when the browser blocks copying', async () => {
    await copyWith(() => Promise.reject(new DOMException('Refused', 'NotAllowedError')));
    await clickCopyButton('Copy account number');
    expect(await screen.findByText('Your browser blocked copying. The account number is selected for you to copy.')).toBeDefined();
    expect(window.getSelection()?.toString()).toBe('38-9000-0123456-00');
  });
});
