import type { Job } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, JOB, JOB_ITEM, JOB_PAGE_RESPONSES, PROFILE } from './fixtures.ts';
import { clickByLabel, EDIT_JOB_PATH, openJobForm } from './open-job-form.ts';
import { failWith, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';

const PAYMENT_PATH = `/jobs/${JOB.id}/payment`;

function openJob(change: Partial<Job>, role: Role = 'admin', responses: MockApi = {}) {
  return openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, ...change }),
    ...JOB_PAGE_RESPONSES,
    ...responses,
  });
}

const findTotalRows = async () =>
  within(await screen.findByRole('table', { name: 'Items' }))
    .getAllByRole('row')
    .map((row) => row.textContent);

describe('payment summary on the job page', () => {
  it('shows the paid and outstanding amounts', async () => {
    openJob({ status: 'invoiced', billed_amount: '500.00', paid_amount: '200.00' });
    expect((await findTotalRows()).slice(-3)).toEqual(['Total$500.00', 'Paid200.00', 'Outstanding$300.00']);
    expect(screen.getByRole('link', { name: 'Paid $200.00, $300.00 outstanding' }).getAttribute('href')).toBe(PAYMENT_PATH);
  });

  it('calculates the outstanding amount from the sent invoice even if the job has changed since', async () => {
    openJob({ status: 'invoiced', billed_amount: '460.00', paid_amount: '200.00' });
    expect((await findTotalRows()).slice(-4)).toEqual(['Total$500.00', 'Invoiced460.00', 'Paid200.00', 'Outstanding$260.00']);
  });

  it('shows no outstanding amount once the job is paid', async () => {
    openJob({ status: 'paid', billed_amount: '500.00', paid_amount: '500.00' });
    expect((await findTotalRows()).at(-1)).toBe('Paid500.00');
    screen.getByRole('link', { name: 'Paid $500.00' });
  });

  it.each<[Partial<Job>, string]>([
    [{ billed_amount: '500.00' }, 'Invoice for $500.00 still open'],
    [{ billed_amount: '500.00', paid_amount: '200.00' }, 'Paid $200.00 · Invoice for $500.00 still open'],
    [{ paid_amount: '200.00' }, 'Paid $200.00'],
  ])('shows payments on a canceled job without an outstanding amount: %j', async (change, name) => {
    openJob({ ...change, status: 'canceled' });
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(PAYMENT_PATH);
    expect(screen.queryByText('Outstanding')).toBeNull();
  });

  it('shows the requested deposit', async () => {
    openJob({ deposit_amount: '100.00' });
    expect((await screen.findByRole('link', { name: 'Deposit of $100.00 requested' })).getAttribute('href')).toBe(PAYMENT_PATH);
  });

  it('hides the deposit once the job is complete, because the full amount is due', async () => {
    openJob({ status: 'complete', deposit_amount: '100.00' });
    expect((await findTotalRows()).at(-1)).toBe('Total$500.00');
    expect(screen.queryByText(/^Deposit/)).toBeNull();
  });

  it('hides payments from staff, whose responses omit them', async () => {
    openJob({ status: 'complete', billed_amount: undefined, paid_amount: undefined, deposit_amount: undefined }, 'staff');
    expect((await findTotalRows()).at(-1)).toBe('Total$500.00');
    expect(screen.queryByText(/^(Paid|Deposit|Outstanding)/)).toBeNull();
    expect(screen.queryByRole('link', { name: /^Pa(id|yment)/ })).toBeNull();
  });

  it('shows no paid amount before the first payment', async () => {
    openJob({ status: 'complete' });
    expect((await findTotalRows()).at(-1)).toBe('Total$500.00');
    expect(screen.queryByText(/^Paid/)).toBeNull();
  });
});

describe('notice about a job changed after its invoice was issued', () => {
  const DIFFERS_MESSAGE = 'This job differs from its invoice';

  it.each(['complete', 'invoiced', 'paid'] as const)('appears on a job that is %s and links to the payment page', async (status) => {
    openJob({ status, billed_amount: '460.00', paid_amount: status === 'paid' ? '460.00' : '0.00' });
    await screen.findByText(DIFFERS_MESSAGE);
    screen.getByText('Invoice: $460.00 · Job now: $500.00');
    expect(screen.getByRole('link', { name: 'Open Payment' }).getAttribute('href')).toBe(PAYMENT_PATH);
  });

  it.each<[Partial<Job>, Role]>([
    [{ status: 'invoiced', billed_amount: '500.00' }, 'admin'],
    [{ status: 'complete' }, 'admin'],
    [{ status: 'canceled', billed_amount: '460.00' }, 'admin'],
    [{ status: 'invoiced', billed_amount: undefined, paid_amount: undefined, deposit_amount: undefined }, 'staff'],
  ])('is hidden when the job has %j and the role is %s', async (change, role) => {
    openJob(change, role);
    await screen.findByRole('heading', { level: 1, name: JOB.title });
    expect(screen.queryByText(DIFFERS_MESSAGE)).toBeNull();
  });
});

describe('notice about money that was received', () => {
  it.each<[string, Partial<Job>]>([
    [
      '$500.00 was paid, but its invoice was canceled. Issue a new one, or refund it and reverse the payment.',
      { status: 'paid', paid_amount: '500.00', is_invoice_canceled: true },
    ],
    ['This job is canceled, but $200.00 was paid. Refund it and reverse the payment.', { status: 'canceled', paid_amount: '200.00' }],
    [
      '$1.00 more was paid than is due. Refund it and reverse the payment, or bill the difference.',
      { status: 'paid', paid_amount: '501.00', billed_amount: '500.00' },
    ],
  ])('says: %s', async (notice, change) => {
    openJob(change);
    await screen.findByText(notice);
    expect(screen.getByRole('link', { name: 'Open Payment' }).getAttribute('href')).toBe(PAYMENT_PATH);
  });

  it.each<[Partial<Job>, Role]>([
    [{ status: 'paid', paid_amount: '500.00' }, 'admin'],
    [{ status: 'complete', paid_amount: '200.00', is_invoice_canceled: true }, 'admin'],
    [{ status: 'booked', paid_amount: '600.00' }, 'admin'],
    [{ status: 'canceled' }, 'admin'],
    [{ status: 'canceled', billed_amount: undefined, paid_amount: undefined, is_invoice_canceled: undefined }, 'staff'],
  ])('is hidden when the job has %j and the role is %s', async (change, role) => {
    openJob(change, role);
    await screen.findByRole('heading', { level: 1, name: JOB.title });
    expect(screen.queryByText(/was paid/)).toBeNull();
  });
});

describe('payment hint for the status Paid', () => {
  const openFormAndChoosePaid = async (change: Partial<Job>) => {
    openJobForm(EDIT_JOB_PATH, { [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, ...change }) });
    await screen.findByDisplayValue('Roof repair');
    await clickByLabel('Paid');
  };
  const PAYMENT_HINT = /^Saving records a payment/;

  it.each<[Partial<Job>, string]>([
    [{}, '$500.00'],
    [{ paid_amount: '100.00' }, '$400.00'],
    [{ billed_amount: '460.00', paid_amount: '100.00' }, '$360.00'],
    [{ items: [JOB_ITEM], totals: { subtotal: '100.00', tax_amount: '15.00', total_amount: '115.00' } }, '$115.00'],
  ])('names the outstanding amount for %j', async (change, amount) => {
    await openFormAndChoosePaid(change);
    expect(screen.getByText(PAYMENT_HINT).textContent).toBe(`Saving records a payment of ${amount} by bank transfer, today.`);
  });

  it('uses the fixed amount being typed', async () => {
    await openFormAndChoosePaid({});
    typeInto('Fixed amount (optional)', '80');
    expect(await screen.findByText('Saving records a payment of $80.00 by bank transfer, today.')).toBeDefined();
  });

  it.each<Partial<Job>>([{ status: 'paid', paid_amount: '500.00' }, { paid_amount: '500.00' }, { job_type: 'hourly', fixed_amount: null }])(
    'is hidden when saving records no payment: %j',
    async (change) => {
      await openFormAndChoosePaid(change);
      expect(screen.queryByText(PAYMENT_HINT)).toBeNull();
    },
  );
});

it.each<[Job['status'], boolean]>([
  ['booked', false],
  ['complete', true],
  ['invoiced', true],
  ['paid', false],
  ['canceled', false],
])('shows the Payment button on a job that is %s: %s', async (status, has) => {
  openJob({ status });
  await screen.findByRole('heading', { level: 1, name: JOB.title });
  expect(screen.queryByRole('link', { name: 'Payment' }) !== null).toBe(has);
});

it('invalidates the invoice lists when a job is saved as paid', async () => {
  const { path, queryClient } = openJobForm(EDIT_JOB_PATH, { [`PUT /jobs/${JOB.id}`]: () => ({ ...JOB, status: 'paid', version: 2 }) });
  const key = ['invoices', 'summary', {}];
  queryClient.setQueryData(key, {});
  await screen.findByDisplayValue('Roof repair');
  await clickByLabel('Paid');
  await pressButton('Save Changes');
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

describe('a rejected change of a job', () => {
  it('explains that a payment must be reversed before a paid job can be reopened', async () => {
    const refused = () => failWith('JOB_PAID', 'This job is paid. Reverse a payment on its payment page first.');
    const { path } = openJobForm(EDIT_JOB_PATH, {
      [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, status: 'paid' }),
      [`PUT /jobs/${JOB.id}`]: refused,
    });
    await screen.findByDisplayValue('Roof repair');
    await clickByLabel('Complete');
    await pressButton('Save Changes');
    await waitForToasts('Failed to update job: This job is paid. Reverse a payment on its payment page first.');
    expect(path()).toBe(EDIT_JOB_PATH);
  });

  it('explains that a job with an invoice cannot be deleted', async () => {
    const sentence = "A job with an invoice or a payment can't be deleted. You can cancel it instead once it has no open invoice.";
    openJob({ status: 'invoiced' }, 'admin', { [`DELETE /jobs/${JOB.id}`]: () => failWith('JOB_BILLED', sentence) });
    await screen.findByRole('heading', { level: 1, name: JOB.title });
    await pressButton('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = within(await screen.findByRole('alertdialog'));
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete' })));
    await waitForToasts(`Failed to delete job: ${sentence}`);
    expect(await screen.findByRole('heading', { level: 1, name: JOB.title })).toBeDefined();
  });
});
