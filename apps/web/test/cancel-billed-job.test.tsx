import type { UpdateJobInput } from '@callout/contract/jobs';
import type { Role } from '@callout/domain/roles/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BILLING, INVOICE } from './billing-fixtures.ts';
import { ADMIN_USER, JOB, PROFILE } from './fixtures.ts';
import { BOOKED_JOB, buildBoard, getCardTitles, moveJobByMenu, openBoard, SET_JOB_STATUS_CALL } from './open-board.ts';
import { clickByLabel, EDIT_JOB_PATH, openJobForm } from './open-job-form.ts';
import { failWith, getToasts, type MockApi, openPage, pressButton, typeInto, waitForToasts } from './open-page.tsx';
import { INVOICED_BILLING } from './open-payment.ts';

const REFUSAL = 'This job has an open invoice. Cancel it with a credit note on the payment page first.';
const CREDIT_CALL = `POST /invoices/${INVOICE.id}/credit`;
const BILLED_JOB = { ...JOB, status: 'invoiced', billed_amount: '115.00' } as const;

const findQuestion = async () => within(await screen.findByRole('alertdialog', { name: 'Cancel the job and INV-2026-0187?' }));
const press = (question: Awaited<ReturnType<typeof findQuestion>>, name: string) =>
  act(async () => fireEvent.click(question.getByRole('button', { name })));

/** Mocks a server with one invoiced job, which can be canceled only together with its invoice. */
function mockBilledJob() {
  const server = { isCanceled: false, credits: [] as unknown[], edits: [] as UpdateJobInput[] };
  const readJob = () => ({ ...BILLED_JOB, ...(server.isCanceled && { status: 'canceled', billed_amount: null, version: 4 }) });
  const responses: MockApi = {
    'GET /board': () => buildBoard({ ...BOOKED_JOB, timer_status: null, status: server.isCanceled ? 'canceled' : 'invoiced' }),
    [SET_JOB_STATUS_CALL]: () => failWith('JOB_BILLED', REFUSAL),
    [`GET /jobs/${JOB.id}`]: readJob,
    [`PUT /jobs/${JOB.id}`]: (input) => {
      server.edits.push(input as UpdateJobInput);
      return { ...BILLED_JOB, ...(input as UpdateJobInput), version: 2 };
    },
    [`GET /jobs/${JOB.id}/billing`]: () => ({ ...BILLING, ...INVOICED_BILLING }),
    [CREDIT_CALL]: (input) => {
      server.credits.push(input);
      server.isCanceled = true;
      return { ...BILLING, job: { ...BILLING.job, status: 'canceled' } };
    },
  };
  return { server, responses };
}

function openBilledBoard(responses: MockApi, role: Role = 'admin') {
  return openBoard('/board', { ...responses, 'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }) });
}

it('offers on the board to cancel an invoiced job together with its invoice', async () => {
  const { server, responses } = mockBilledJob();
  openBilledBoard(responses);
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveJobByMenu('Roof repair', 'Canceled');
  const question = await findQuestion();
  question.getByText(/^This job has an open invoice. A credit note of \$115\.00 cancels INV-2026-0187\./);
  expect(getToasts()).toEqual([]);
  typeInto('Reason (optional)', 'Customer moved');
  await press(question, 'Cancel job and invoice');
  await waitForToasts('Job and INV-2026-0187 canceled');
  expect(server.credits).toEqual([{ credit_id: expect.any(String), reason: 'Customer moved', cancel_job: true }]);
  await waitFor(() => expect(getCardTitles('Canceled')).toEqual(['Roof repair']));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
});

it('leaves the card in its column if the person keeps the invoice', async () => {
  const { server, responses } = mockBilledJob();
  openBilledBoard(responses);
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveJobByMenu('Roof repair', 'Canceled');
  await press(await findQuestion(), 'Keep both');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect([server.credits, getCardTitles('Invoiced')]).toEqual([[], ['Roof repair']]);
});

it('tells staff on the board whom to ask, because they may not cancel invoices', async () => {
  openBilledBoard(mockBilledJob().responses, 'staff');
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveJobByMenu('Roof repair', 'Canceled');
  await waitForToasts('Failed to update job status: This job has an open invoice. Ask an admin, manager or accountant to cancel it first.');
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

it('reports that the invoice was canceled in the meantime', async () => {
  openBilledBoard({ ...mockBilledJob().responses, [`GET /jobs/${JOB.id}/billing`]: () => BILLING });
  await screen.findByRole('link', { name: /^Roof repair/ });
  await moveJobByMenu('Roof repair', 'Canceled');
  await waitForToasts('This invoice has already been canceled. Please try again.');
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

async function openFormAndCancelJob(responses: MockApi) {
  const page = openJobForm(EDIT_JOB_PATH, responses);
  await screen.findByDisplayValue('Roof repair');
  typeInto('Title', 'Roof repair, stopped');
  await clickByLabel('Canceled');
  await pressButton('Save Changes');
  return page;
}

it('saves the other changes and cancels job and invoice at once in the job form', async () => {
  const { server, responses } = mockBilledJob();
  const { path } = await openFormAndCancelJob(responses);
  const question = await findQuestion();
  expect(server.edits).toEqual([]);
  await press(question, 'Cancel job and invoice');
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  expect(server.edits).toMatchObject([{ title: 'Roof repair, stopped', status: 'invoiced', version: JOB.version }]);
  expect(server.credits).toMatchObject([{ cancel_job: true }]);
  await screen.findByText('Canceled');
});

it('keeps what was typed in the job form if the person keeps the invoice', async () => {
  const { server, responses } = mockBilledJob();
  const { path } = await openFormAndCancelJob(responses);
  await press(await findQuestion(), 'Keep both');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect([server.edits, server.credits, path()]).toEqual([[], [], EDIT_JOB_PATH]);
  await screen.findByDisplayValue('Roof repair, stopped');
  screen.getByRole('button', { name: 'Save Changes' });
});

it('saves the changes once if the credit note fails at first', async () => {
  const { server, responses } = mockBilledJob();
  const { [CREDIT_CALL]: credit, ...rest } = responses;
  let attempts = 0;
  const failOnce = (input: unknown) => {
    attempts += 1;
    return attempts === 1 ? failWith('UNAVAILABLE', 'Gone away') : credit?.(input);
  };
  const { path } = await openFormAndCancelJob({ ...rest, [CREDIT_CALL]: failOnce });
  await press(await findQuestion(), 'Cancel job and invoice');
  await waitForToasts('Failed to cancel invoice: Gone away');
  await press(await findQuestion(), 'Cancel job and invoice');
  await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  expect([server.edits.length, server.credits.length]).toEqual([1, 1]);
});

async function openJobAndCancel(responses: MockApi, role: Role = 'admin') {
  openPage(`/jobs/${JOB.id}`, { ...responses, 'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role } }) });
  await pressButton('More actions');
  await act(async () => fireEvent.click(await screen.findByRole('menuitem', { name: 'Cancel job' })));
}

it('offers on the job page to cancel an invoiced job together with its invoice', async () => {
  const { server, responses } = mockBilledJob();
  await openJobAndCancel(responses);
  await press(await findQuestion(), 'Cancel job and invoice');
  await waitForToasts('Job and INV-2026-0187 canceled');
  expect(server.credits).toMatchObject([{ cancel_job: true }]);
});

it('tells staff on the job page whom to ask', async () => {
  const { billed_amount: _hidden, ...visibleJob } = BILLED_JOB;
  await openJobAndCancel({ ...mockBilledJob().responses, [`GET /jobs/${JOB.id}`]: () => visibleJob }, 'staff');
  const refusal = 'This job has an open invoice. Ask an admin, manager or accountant to cancel it first.';
  await waitFor(() => expect(getToasts()).toEqual([`Failed to cancel job: ${refusal}`]));
});

it('cancels a job without an invoice from its page, which can be undone', async () => {
  const changes: unknown[] = [];
  let job: object = { ...JOB, status: 'booked', billed_amount: null };
  await openJobAndCancel({
    [`GET /jobs/${JOB.id}`]: () => job,
    [SET_JOB_STATUS_CALL]: (input) => {
      changes.push(input);
      job = { ...job, status: (input as { status: string }).status };
      return { ...job, clashes: [] };
    },
  });
  await waitForToasts('Job canceledUndo');
  await pressButton('Undo');
  await waitForToasts('Job moved to Booked');
  expect(changes).toEqual([
    { status: 'canceled', from: 'booked' },
    { status: 'booked', from: 'canceled', is_undo: true },
  ]);
  await pressButton('More actions');
  await screen.findByRole('menuitem', { name: 'Cancel job' });
});
