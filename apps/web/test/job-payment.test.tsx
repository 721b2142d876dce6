import type { Job } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { check, EDIT, open } from './open-job-form.ts';
import { type Answers, openPage, press, refuse, typeInto, waitForToasts } from './open-page.tsx';
import { JOB, JOB_ITEM, JOB_PARTS, OWNER, PROFILE } from './people.ts';

const PAYMENT = `/jobs/${JOB.id}/payment`;

function openJob(change: Partial<Job>, role: Role = 'admin', more: Answers = {}) {
  return openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, role } }),
    [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, ...change }),
    ...JOB_PARTS,
    ...more,
  });
}

const totals = async () =>
  within(await screen.findByRole('table', { name: 'Items' }))
    .getAllByRole('row')
    .map((row) => row.textContent);

describe('the page of a job says what was paid', () => {
  it('and what is outstanding', async () => {
    openJob({ status: 'invoiced', billed_amount: '500.00', paid_amount: '200.00' });
    expect((await totals()).slice(-3)).toEqual(['Total$500.00', 'Paid200.00', 'Outstanding$300.00']);
    expect(screen.getByRole('link', { name: 'Paid $200.00, $300.00 outstanding' }).getAttribute('href')).toBe(PAYMENT);
  });

  it('of the invoice that was sent, also when the job has changed since', async () => {
    openJob({ status: 'invoiced', billed_amount: '460.00', paid_amount: '200.00' });
    expect((await totals()).slice(-4)).toEqual(['Total$500.00', 'Invoiced460.00', 'Paid200.00', 'Outstanding$260.00']);
  });

  it('and nothing more once it is paid', async () => {
    openJob({ status: 'paid', billed_amount: '500.00', paid_amount: '500.00' });
    expect((await totals()).at(-1)).toBe('Paid500.00');
    screen.getByRole('link', { name: 'Paid $500.00' });
  });

  it.each<[Partial<Job>, string]>([
    [{ billed_amount: '500.00' }, 'Invoice of $500.00 still open'],
    [{ billed_amount: '500.00', paid_amount: '200.00' }, 'Paid $200.00 · Invoice of $500.00 still open'],
    [{ paid_amount: '200.00' }, 'Paid $200.00'],
  ])('of a canceled job without asking for the rest: %j', async (change, name) => {
    openJob({ ...change, status: 'canceled' });
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(PAYMENT);
    expect(screen.queryByText('Outstanding')).toBeNull();
  });

  it('or which deposit was requested', async () => {
    openJob({ deposit_amount: '100.00' });
    expect((await screen.findByRole('link', { name: 'Deposit of $100.00 requested' })).getAttribute('href')).toBe(PAYMENT);
  });

  it('but no deposit once the work is done: all of it is due then', async () => {
    openJob({ status: 'complete', deposit_amount: '100.00' });
    expect((await totals()).at(-1)).toBe('Total$500.00');
    expect(screen.queryByText(/^Deposit/)).toBeNull();
  });

  it('but not to staff, who are not told', async () => {
    openJob({ status: 'complete', billed_amount: undefined, paid_amount: undefined, deposit_amount: undefined }, 'staff');
    expect((await totals()).at(-1)).toBe('Total$500.00');
    expect(screen.queryByText(/^(Paid|Deposit|Outstanding)/)).toBeNull();
    expect(screen.queryByRole('link', { name: /^Pa(id|yment)/ })).toBeNull();
  });

  it('but nothing while nothing was', async () => {
    openJob({ status: 'complete' });
    expect((await totals()).at(-1)).toBe('Total$500.00');
    expect(screen.queryByText(/^Paid/)).toBeNull();
  });
});

describe('a job that was changed after its invoice was sent', () => {
  const DIFFERS = 'Differs from the invoice that was sent';

  it.each(['invoiced', 'paid'] as const)('says so while it is %s, and leads to the payment page', async (status) => {
    openJob({ status, billed_amount: '460.00', paid_amount: status === 'paid' ? '460.00' : '0.00' });
    await screen.findByText(DIFFERS);
    screen.getByText('Sent: $460.00 · The job now: $500.00');
    expect(screen.getByRole('link', { name: 'Open Payment' }).getAttribute('href')).toBe(PAYMENT);
  });

  it.each<[Partial<Job>, Role]>([
    [{ status: 'invoiced', billed_amount: '500.00' }, 'admin'],
    [{ status: 'complete' }, 'admin'],
    [{ status: 'canceled', billed_amount: '460.00' }, 'admin'],
    [{ status: 'invoiced', billed_amount: undefined, paid_amount: undefined, deposit_amount: undefined }, 'staff'],
  ])('otherwise says nothing: %j to the role %s', async (change, role) => {
    openJob(change, role);
    await screen.findByRole('heading', { level: 1, name: JOB.title });
    expect(screen.queryByText(DIFFERS)).toBeNull();
  });
});

describe('the form says which payment Paid records', () => {
  const choosePaid = async (change: Partial<Job>) => {
    open(EDIT, { [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, ...change }) });
    await screen.findByDisplayValue('Roof repair');
    await check('Paid');
  };
  const HINT = /^Saving records a payment/;

  it.each<[Partial<Job>, string]>([
    [{}, '$500.00'],
    [{ paid_amount: '100.00' }, '$400.00'],
    [{ billed_amount: '460.00', paid_amount: '100.00' }, '$360.00'],
    [{ items: [JOB_ITEM], totals: { subtotal: '100.00', tax_amount: '15.00', total_amount: '115.00' } }, '$115.00'],
  ])('of what is outstanding: %j', async (change, amount) => {
    await choosePaid(change);
    expect(screen.getByText(HINT).textContent).toBe(`Saving records a payment of ${amount} by bank transfer, today.`);
  });

  it('of the price that is typed', async () => {
    await choosePaid({});
    typeInto('Fixed amount (optional)', '80');
    expect(await screen.findByText('Saving records a payment of $80.00 by bank transfer, today.')).toBeDefined();
  });

  it.each<Partial<Job>>([{ status: 'paid', paid_amount: '500.00' }, { paid_amount: '500.00' }, { job_type: 'hourly', fixed_amount: null }])(
    'or nothing when none is recorded: %j',
    async (change) => {
      await choosePaid(change);
      expect(screen.queryByText(HINT)).toBeNull();
    },
  );
});

it.each<[Job['status'], boolean]>([
  ['booked', false],
  ['complete', true],
  ['invoiced', true],
  ['paid', false],
  ['canceled', false],
])('a job that is %s has a Payment button: %s', async (status, has) => {
  openJob({ status });
  await screen.findByRole('heading', { level: 1, name: JOB.title });
  expect(screen.queryByRole('link', { name: 'Payment' }) !== null).toBe(has);
});

it('a job that is saved as paid makes the lists of invoices outdated', async () => {
  const { path, queryClient } = open(EDIT, { [`PUT /jobs/${JOB.id}`]: () => ({ ...JOB, status: 'paid', version: 2 }) });
  const key = ['invoices', 'summary', {}];
  queryClient.setQueryData(key, {});
  await screen.findByDisplayValue('Roof repair');
  await check('Paid');
  await press('Save Changes');
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  expect(queryClient.getQueryState(key)?.isInvalidated).toBe(true);
});

describe('what the server refuses', () => {
  it('a paid job stays paid until a payment is reversed', async () => {
    const refused = () => refuse('JOB_PAID', 'This job is paid. Reverse a payment on its payment page first.');
    const { path } = open(EDIT, { [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, status: 'paid' }), [`PUT /jobs/${JOB.id}`]: refused });
    await screen.findByDisplayValue('Roof repair');
    await check('Complete');
    await press('Save Changes');
    await waitForToasts('Failed to update job: This job is paid. Reverse a payment on its payment page first.');
    expect(path()).toBe(EDIT);
  });

  it('a job that was billed is not deleted', async () => {
    const sentence = "A job with an invoice or a payment can't be deleted. You can cancel it instead once it has no open invoice.";
    openJob({ status: 'invoiced' }, 'admin', { [`DELETE /jobs/${JOB.id}`]: () => refuse('JOB_BILLED', sentence) });
    await screen.findByRole('heading', { level: 1, name: JOB.title });
    await press('More actions');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await act(async () => fireEvent.click(item));
    const question = within(await screen.findByRole('alertdialog'));
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Delete' })));
    await waitForToasts(`Failed to delete job: ${sentence}`);
    expect(await screen.findByRole('heading', { level: 1, name: JOB.title })).toBeDefined();
  });
});
