import type { Customer } from '@callout/contract/customers';
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openCustomer, PATH } from './open-customer.ts';
import { press, toastTexts, typeInto, valueOf } from './open-page.tsx';
import { CUSTOMER } from './people.ts';

describe('two people at one customer', () => {
  const CARD = 'Someone else has changed this customer.';
  const BANNER = 'Someone else has changed this customer. Your changes are still here.';

  it('both see what the other changed, and keeping mine keeps theirs where I typed nothing', async () => {
    const { server, changeElsewhere } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    await changeElsewhere({ name: 'Ana Verdi', notes: 'Key under the mat', status: 'inactive' });
    await screen.findByText(BANNER);
    await press('Save Changes');
    const card = await screen.findByRole('alert');
    expect(document.activeElement).toBe(card);
    for (const text of ['Theirs: Ana Verdi', 'Yours: Ana Bianchi', 'Theirs: Inactive', 'Theirs: Key under the mat']) {
      expect(card.textContent).toContain(text);
    }
    await press('Keep my changes');
    await waitFor(() => expect(server.sent).toHaveLength(2));
    expect(server.sent[1]).toMatchObject({ version: 2, name: 'Ana Bianchi', notes: 'Key under the mat', status: 'inactive' });
  });

  it('who typed the same and more is not asked anything', async () => {
    const { server } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Phone', '021 555 999');
    typeInto('Name', 'Ana Bianchi');
    server.customer = { ...CUSTOMER, phone: '021 555 999', version: 2 };
    await press('Save Changes');
    await waitFor(() => expect(server.sent).toHaveLength(2));
    expect(server.sent[1]).toMatchObject({ version: 2, name: 'Ana Bianchi', phone: '021 555 999' });
    await waitFor(() => expect(toastTexts()).toEqual(['Customer updated successfully']));
    expect(screen.queryByText(CARD)).toBeNull();
  });

  it('a save whose answer was lost is simply made again', async () => {
    const { server } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    server.customer = { ...CUSTOMER, name: 'Ana Bianchi', version: 2 };
    await press('Save Changes');
    await waitFor(() => expect(toastTexts()).toEqual(['Customer updated successfully']));
    expect(server.sent.at(-1)).toMatchObject({ version: 2, name: 'Ana Bianchi' });
  });

  it('a conflict that was settled by hand does not come back empty', async () => {
    const { server } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Name');
    typeInto('Name', 'Ana Bianchi');
    server.customer = { ...CUSTOMER, name: 'Ana Verdi', version: 2 };
    await press('Save Changes');
    await screen.findByText(CARD);
    await act(async () => typeInto('Name', 'Ana Rossi'));
    await waitFor(() => expect(valueOf('Name')).toBe('Ana Verdi'));
    expect(screen.queryByText(CARD)).toBeNull();
    await act(async () => typeInto('Phone', '021 555 999'));
    expect(screen.queryByRole('alert')).toBeNull();
    await press('Save Changes');
    await waitFor(() => expect(server.sent.at(-1)).toMatchObject({ version: 2, name: 'Ana Verdi', phone: '021 555 999' }));
  });

  it('an untouched form follows what others save', async () => {
    const { changeElsewhere } = openCustomer(`${PATH}?edit=true`);
    await screen.findByLabelText('Name');
    await changeElsewhere({ phone: '021 555 999' });
    await waitFor(() => expect(valueOf('Phone')).toBe('021 555 999'));
  });

  it('one deletes what the other is editing: it can be saved as a new customer', async () => {
    const created: Customer[] = [];
    const { changeElsewhere, path } = openCustomer(`${PATH}?edit=true`, {
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
    await press('Save as new customer');
    await waitFor(() => expect(created).toMatchObject([{ name: 'Ana Bianchi', address: '1 High Street' }]));
    expect(created[0]?.id).not.toBe(CUSTOMER.id);
    await waitFor(() => expect(path()).toBe(`/customers/${created[0]?.id}`));
  });
});
