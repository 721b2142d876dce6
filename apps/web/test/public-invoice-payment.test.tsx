import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { amountCard, openPublicInvoice, publicInvoice, waitForInvoice } from './open-public-invoice.tsx';
import { rowsIn } from './open-public-quote.tsx';

const open = async (invoice = publicInvoice()) => {
  openPublicInvoice(invoice);
  await waitForInvoice();
};
const tab = (name: RegExp) => screen.getByRole('tab', { name });
const chosenTab = () => screen.getByRole('tab', { selected: true }).textContent;
const panel = (method: 'online' | 'bank') => {
  const found = document.getElementById(`${method}-panel`);
  if (!found) throw new Error(`There is no panel for ${method}`);
  return found;
};
const payLink = () => screen.queryByRole('link', { name: /^Pay / });
const clickCopy = async (name: string) => {
  const [button] = screen.getAllByRole('button', { name });
  await act(async () => button?.click());
};

afterEach(() => vi.restoreAllMocks());

describe('the payment methods', () => {
  it('show both prices on their tabs, online payment chosen at first', async () => {
    await open();
    expect(screen.getByRole('heading', { name: 'Select a payment method' })).toBeDefined();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Online Payment $118.74',
      'Internet Banking $115.00',
    ]);
    expect(chosenTab()).toBe('Online Payment $118.74');
  });

  it('pay online with PayPal in a new tab', async () => {
    await open();
    expect(panel('online').textContent).toContain('Quick and secure PayPal payment');
    expect(rowsIn(panel('online'))).toEqual(['Items and GST | 115.00', 'PayPal Fee | 3.74', 'Total online | $118.74']);
    expect(screen.getByText('Secure online payment')).toBeDefined();
    const link = payLink();
    expect(link?.textContent).toBe('Pay $118.74');
    expect([link?.getAttribute('target'), link?.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
    const { searchParams } = new URL(link?.getAttribute('href') ?? '');
    expect(['amount', 'currency_code', 'item_name'].map((name) => searchParams.get(name))).toEqual([
      '118.74',
      'NZD',
      'Invoice #J25010042 - Roof',
    ]);
  });

  it('say after PayPal was opened that a payment has to be confirmed', async () => {
    await open();
    const link = payLink();
    link?.addEventListener('click', (event) => event.preventDefault());
    if (link) fireEvent.click(link);
    expect(screen.getByText('Your payment shows here once Tāne Plumbing & Gas has confirmed it.')).toBeDefined();
  });

  it('name the amount of a bank transfer without the fee, everywhere', async () => {
    await open();
    fireEvent.click(tab(/Internet Banking/));
    expect(amountCard()).toEqual(['$115.00 | NZD', 'Due Jan 5, 2025']);
    expect(panel('bank').textContent).toBe(
      'Secure bank transferAmount$115.00Bank nameKiwibankAccount number38-9000-0123456-00Payment Reference#J25010042' +
        'Please include the payment reference when making your transfer',
    );
    expect(payLink()).toBeNull();
    fireEvent.click(tab(/Online Payment/));
    expect(amountCard()[0]).toBe('$118.74 | NZD');
  });

  it('are real tabs: arrows, Home and End choose one and move the focus', async () => {
    await open();
    const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
    tab(/Online Payment/).focus();
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
      expect([chosenTab(), document.activeElement?.textContent]).toEqual([name, name]);
    }
    expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  });

  it('show only the panel of the chosen tab; the bank details are on paper in any case', async () => {
    await open();
    expect(panel('online').className).not.toContain('hidden');
    expect(panel('bank').className).toContain('hidden print:block');
    fireEvent.click(tab(/Internet Banking/));
    expect(panel('online').className).toContain('hidden');
    expect(panel('online').className).not.toContain('print:block');
    expect(panel('bank').className).not.toContain('hidden');
  });
});

describe('a payment method that is not set up', () => {
  it('leaves internet banking when there is no PayPal account', async () => {
    await open(publicInvoice({ answer: { payment_link: null } }));
    expect(chosenTab()).toBe('Internet Banking $115.00');
    expect(amountCard()[0]).toBe('$115.00 | NZD');
    fireEvent.click(tab(/Online Payment/));
    expect(panel('online').textContent).toBe('Online payment is not available for this invoice.');
    expect(tab(/Online Payment/).textContent).toBe('Online Payment Not available');
    expect([payLink(), screen.queryByRole('button', { name: 'Copy account number' })?.closest('[data-docked]')]).toEqual([null, null]);
  });

  it('leaves online payment when there are no bank details', async () => {
    await open(publicInvoice({ answer: { bank_name: null, bank_account_number: null } }));
    expect(chosenTab()).toBe('Online Payment $118.74');
    fireEvent.click(tab(/Internet Banking/));
    expect(panel('bank').textContent).toContain('Please ask Tāne Plumbing & Gas for the account number.');
    expect(panel('bank').textContent).toContain('Payment Reference#J25010042');
    expect(screen.queryByText(/^Bank name|^Account number/)).toBeNull();
  });

  it('asks to contact the company when there is neither', async () => {
    await open(publicInvoice({ answer: { payment_link: null, bank_name: null, bank_account_number: null } }));
    expect(
      screen.getByText('Online payment and bank details are not available. Please contact Tāne Plumbing & Gas to arrange payment.'),
    ).toBeDefined();
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.getByText('#J25010042')).toBeDefined();
  });
});

describe('copying', () => {
  const copyWith = async (writeText: (text: string) => Promise<void>) => {
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    await open();
    fireEvent.click(tab(/Internet Banking/));
  };

  it.each([
    ['Copy bank name', 'Kiwibank', 'Bank name copied to clipboard!'],
    ['Copy account number', '38-9000-0123456-00', 'Account number copied to clipboard!'],
    ['Copy payment reference', '#J25010042', 'Payment reference copied to clipboard!'],
  ])('"%s" puts %s into the clipboard and says so', async (button, text, message) => {
    const writeText = vi.fn(() => Promise.resolve());
    await copyWith(writeText);
    await clickCopy(button);
    await waitFor(() => expect(screen.getByText(message).closest('[role=status]')).not.toBeNull());
    expect(writeText).toHaveBeenCalledExactlyOnceWith(text);
  });

  it('of the account number is also the button at the bottom of the screen', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    await copyWith(writeText);
    const button = screen.getByText('Copy account number', { selector: '[data-docked] button' });
    await act(async () => button.click());
    expect(writeText).toHaveBeenCalledExactlyOnceWith('38-9000-0123456-00');
  });

  it('selects the text when the browser refuses', async () => {
    await copyWith(() => Promise.reject(new DOMException('Refused', 'NotAllowedError')));
    await clickCopy('Copy account number');
    expect(await screen.findByText('Your browser blocked copying. The account number is selected: copy it from there.')).toBeDefined();
    expect(window.getSelection()?.toString()).toBe('38-9000-0123456-00');
  });
});
