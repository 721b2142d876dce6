import type { Customer } from '@callout/contract/customers';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { CUSTOMER } from './fixtures.ts';
import { CUSTOMER_PATH, openCustomerPage } from './open-customer.ts';
import { getToasts, getValue, pressButton, typeInto } from './open-page.tsx';

describe('the customer form during concurrent edits', () => {
  const CONFLICT_TEXT = "There's a newer version of this customer.";
  const NEWER_VERSION_TEXT = "There's a newer version of this customer. Your changes are still here.";

  it('shows both versions, and "Keep my changes" keeps the other person’s values in untouched fields', async () => {
    const { server, changeElsewhere } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    await changeElsewhere({ name: 'Ana Verdi', notes: 'Key under the mat', status: 'inactive' });
    await screen.findByText(NEWER_VERSION_TEXT);
    await pressButton('Save Changes');
    const card = await screen.findByRole('alert');
    expect(document.activeElement).toBe(card);
    for (const text of ['Theirs: Ana Verdi', 'Yours: Ana Bianchi', 'Theirs: Inactive', 'Theirs: Key under the mat']) {
      expect(card.textContent).toContain(text);
    }
    await pressButton('Keep my changes');
    await waitFor(() => expect(server.sent).toHaveLength(2));
    expect(server.sent[1]).toMatchObject({ version: 2, name: 'Ana Bianchi', notes: 'Key under the mat', status: 'inactive' });
  });

  it('"Use their version" offers Undo, which brings back the edits and the conflict', async () => {
    const { server, changeElsewhere } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    await changeElsewhere({ name: 'Ana Verdi' });
    await pressButton('Compare');
    await pressButton('Use their version');
    await waitFor(() => expect(getValue('Name')).toBe('Ana Verdi'));
    await pressButton('Undo');
    await waitFor(() => expect(getValue('Name')).toBe('Ana Bianchi'));
    await screen.findByText(NEWER_VERSION_TEXT);
    await pressButton('Save Changes');
    await pressButton('Keep my changes');
    await waitFor(() => expect(server.sent.at(-1)).toMatchObject({ version: 2, name: 'Ana Bianchi' }));
  });

  it('dismisses the Undo of "Use their version" when the form closes, because nothing is left to restore', async () => {
    const { changeElsewhere } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    await changeElsewhere({ name: 'Ana Verdi' });
    await pressButton('Compare');
    await pressButton('Use their version');
    await waitFor(() => expect(getToasts()).toEqual(['Your changes were replaced by the newer versionUndo']));
    await pressButton('Cancel');
    await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
    expect(getToasts()).toEqual([]);
  });

  it('shows no conflict if both people entered the same value', async () => {
    const { server } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Phone', '021 555 999');
    typeInto('Name', 'Ana Bianchi');
    server.customer = { ...CUSTOMER, phone: '021 555 999', version: 2 };
    await pressButton('Save Changes');
    await waitFor(() => expect(server.sent).toHaveLength(2));
    expect(server.sent[1]).toMatchObject({ version: 2, name: 'Ana Bianchi', phone: '021 555 999' });
    await waitFor(() => expect(getToasts()).toEqual(['Customer updated successfully']));
    expect(screen.queryByText(CONFLICT_TEXT)).toBeNull();
  });

  it('reports no conflict when it retries a save after a lost response', async () => {
    const { server } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    server.customer = { ...CUSTOMER, name: 'Ana Bianchi', version: 2 };
    await pressButton('Save Changes');
    await waitFor(() => expect(getToasts()).toEqual(['Customer updated successfully']));
    expect(server.sent.at(-1)).toMatchObject({ version: 2, name: 'Ana Bianchi' });
  });

  it('does not show a conflict again after it was resolved by hand', async () => {
    const { server } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    server.customer = { ...CUSTOMER, name: 'Ana Verdi', version: 2 };
    await pressButton('Save Changes');
    await screen.findByText(CONFLICT_TEXT);
    await act(async () => typeInto('Name', 'Ana Rossi'));
    await waitFor(() => expect(getValue('Name')).toBe('Ana Verdi'));
    expect(screen.queryByText(CONFLICT_TEXT)).toBeNull();
    await act(async () => typeInto('Phone', '021 555 999'));
    expect(screen.queryByRole('alert')).toBeNull();
    await pressButton('Save Changes');
    await waitFor(() => expect(server.sent.at(-1)).toMatchObject({ version: 2, name: 'Ana Verdi', phone: '021 555 999' }));
  });

  it('shows what others save as long as it has no edits', async () => {
    const { changeElsewhere } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`);
    await screen.findByLabelText('Name');
    await changeElsewhere({ phone: '021 555 999' });
    await waitFor(() => expect(getValue('Phone')).toBe('021 555 999'));
  });

  it('offers to save a customer deleted elsewhere as a new customer', async () => {
    const created: Customer[] = [];
    const { changeElsewhere, path } = openCustomerPage(`${CUSTOMER_PATH}?edit=true`, {
      'POST /customers': (input) => {
        const customer = { ...CUSTOMER, ...(input as Customer), version: 1 };
        created.push(customer);
        return customer;
      },
    });
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    await changeElsewhere(null);
    await screen.findByText(/You can save your version as a new customer/);
    await pressButton('Save as new customer');
    await waitFor(() => expect(created).toMatchObject([{ name: 'Ana Bianchi', address: '1 High Street' }]));
    expect(created[0]?.id).not.toBe(CUSTOMER.id);
    await waitFor(() => expect(path()).toBe(`/customers/${created[0]?.id}`));
  });
});
