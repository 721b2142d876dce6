import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { jobQueryOptions } from '../src/features/jobs/jobs.api.ts';
import { toast } from '../src/ui/toast.ts';
import { CUSTOMER, DRAINS_CATEGORY, GAS_CATEGORY, JOB } from './fixtures.ts';
import { clickByLabel, EDIT_JOB_PATH, fakeToday, isChecked, openJobForm } from './open-job-form.ts';
import { failWith, getValue, pressButton, typeInto, waitForToasts } from './open-page.tsx';

fakeToday();

describe('job edit form', () => {
  it('prefills the stored job and saves the chosen status', async () => {
    const { server, path } = openJobForm(EDIT_JOB_PATH);
    await screen.findByDisplayValue('Roof repair');
    expect(['Booking date', 'Booking time', 'Duration', 'Duration unit'].map(getValue)).toEqual(['2026-04-06', '08:00', '2', 'hours']);
    expect(isChecked(/^Use alternate address/)).toBe(false);
    await clickByLabel('Canceled');
    await pressButton('Save Changes');
    await waitForToasts('Job updated successfully');
    expect(server.updated).toMatchObject([
      {
        version: 1,
        status: 'canceled',
        booking_date: JOB.booking_date,
        category_ids: [DRAINS_CATEGORY.id],
        job_type: 'fixed',
        fixed_amount: '500.00',
      },
    ]);
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  });

  it('gives a customer to a job that has lost its own', async () => {
    const orphan = { ...JOB, customer: null, customer_id: null };
    const { server } = openJobForm(EDIT_JOB_PATH, { [`GET /jobs/${JOB.id}`]: () => orphan });
    await screen.findByText('The customer was deleted.');
    expect(document.activeElement).not.toBe(screen.getByLabelText('Search customers'));
    await pressButton(/^Ana Rossi/);
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toMatchObject([{ customer_id: CUSTOMER.id }]));
  });

  it.each([JOB.customer_id, null])('sends no customer if none was chosen and the job has the customer %s', async (customer_id) => {
    const stored = customer_id ? JOB : { ...JOB, customer: null, customer_id };
    const { server } = openJobForm(EDIT_JOB_PATH, { [`GET /jobs/${JOB.id}`]: () => stored });
    await screen.findByDisplayValue('Roof repair');
    expect(screen.queryByLabelText('Search customers') === null).toBe(customer_id !== null);
    typeInto('Title', 'Roof');
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toHaveLength(1));
    expect(server.updated[0]).not.toHaveProperty('customer_id');
  });

  it('waits for the categories to load, so the layout does not shift', async () => {
    const response = Promise.withResolvers<void>();
    const { queryClient } = openJobForm(EDIT_JOB_PATH, {
      'GET /categories': async () => {
        await response.promise;
        return { rows: [DRAINS_CATEGORY, GAS_CATEGORY] };
      },
    });
    await waitFor(() => expect(queryClient.getQueryData(jobQueryOptions(JOB.id).queryKey)).toBeDefined());
    await act(async () => new Promise(requestAnimationFrame));
    expect(screen.queryByDisplayValue('Roof repair')).toBeNull();
    await act(async () => response.resolve());
    await screen.findByDisplayValue('Roof repair');
    expect(isChecked('Drains')).toBe(true);
  });

  it('shows a duration in whole days and the alternate address', async () => {
    const { server } = openJobForm(EDIT_JOB_PATH, { [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, duration: '72', address: '9 Mill Lane' }) });
    await screen.findByDisplayValue('9 Mill Lane');
    expect(getValue('Duration')).toBe('3');
    expect(isChecked(/^Use alternate address/)).toBe(true);
    typeInto('Title', 'Roof');
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toMatchObject([{ duration: '72', use_alternate_address: true, address: '9 Mill Lane' }]));
  });

  it('keeps a quarter-hour duration set in the calendar', async () => {
    const { server } = openJobForm(EDIT_JOB_PATH, { [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, duration: '1.25' }) });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await pressButton('Save Changes');
    await waitFor(() => expect(server.updated).toMatchObject([{ title: 'Roof', duration: '1.25' }]));
  });

  it('rejects a newly typed quarter-hour duration', async () => {
    openJobForm(EDIT_JOB_PATH);
    await screen.findByDisplayValue('Roof repair');
    typeInto('Duration', '1.25');
    await pressButton('Save Changes');
    expect(await screen.findByText('Duration must be at least 0.5 hours, in steps of 0.5')).toBeDefined();
    expect(screen.queryByText('This job has a date and time, so it will be saved as Booked.')).toBeNull();
  });

  it('hints that a changed booking makes a pending job Booked, but not while the booking is unchanged', async () => {
    const hint = 'This job has a date and time, so it will be saved as Booked.';
    openJobForm(EDIT_JOB_PATH);
    await screen.findByDisplayValue('Roof repair');
    await clickByLabel('Pending');
    expect(screen.queryByText(hint)).toBeNull();
    typeInto('Booking date', '2026-04-09');
    await clickByLabel('Pending');
    await screen.findByText(hint);
  });

  it("names the removed category when someone else's change causes a conflict", async () => {
    openJobForm(EDIT_JOB_PATH, {
      [`PUT /jobs/${JOB.id}`]: () =>
        failWith('STALE_VERSION', 'Someone else has changed this.', { current: { ...JOB, categories: [], version: 2 } }),
    });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await pressButton('Save Changes');
    expect((await screen.findByRole('alert')).textContent).toContain('Theirs: Drains removed');
  });

  it('shows conflicting changes with the names of people and categories', async () => {
    const theirs = { ...JOB, title: 'Roof leak', staff_id: null, staff: null, categories: [DRAINS_CATEGORY, GAS_CATEGORY], version: 2 };
    openJobForm(EDIT_JOB_PATH, {
      [`PUT /jobs/${JOB.id}`]: () => failWith('STALE_VERSION', 'Someone else has changed this.', { current: theirs }),
    });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await pressButton('Save Changes');
    const card = await screen.findByRole('alert');
    for (const text of ["There's a newer version of this job.", 'Roof leak', 'Gas']) expect(card.textContent).toContain(text);
    expect(card.textContent).not.toContain(GAS_CATEGORY.id);
  });

  it('merges changes that two people made to different fields', async () => {
    const updated: unknown[] = [];
    const theirs = { ...JOB, description: 'Three tiles are missing.', duration: '4', version: 2 };
    const responses = [
      () => failWith('STALE_VERSION', 'Someone else has changed this.', { current: theirs }),
      () => ({ ...theirs, title: 'Roof', version: 3 }),
    ];
    const { path } = openJobForm(EDIT_JOB_PATH, {
      [`PUT /jobs/${JOB.id}`]: (input) => {
        updated.push(input);
        return responses.shift()?.();
      },
    });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await pressButton('Save Changes');
    await pressButton('Keep my changes');
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
    expect(updated[1]).toMatchObject({ version: 2, title: 'Roof', description: 'Three tiles are missing.', duration: '4' });
  });

  it('offers to save a job deleted elsewhere as a new job', async () => {
    const { server, queryClient } = openJobForm(EDIT_JOB_PATH);
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    server.job = null;
    await act(async () => queryClient.invalidateQueries());
    await screen.findByText(/^This job has been deleted/);
    await pressButton('Save as new job');
    await waitFor(() => expect(server.created).toMatchObject([{ title: 'Roof', customer_id: CUSTOMER.id }]));
  });

  it('lists what is deleted with the job in the confirmation and keeps the job on Cancel', async () => {
    const deleted: string[] = [];
    // On a busy machine, the toast can disappear before the next page renders, so spy on the call instead.
    const successToast = vi.spyOn(toast, 'success');
    onTestFinished(() => successToast.mockRestore());
    const { path } = openJobForm(EDIT_JOB_PATH, {
      [`DELETE /jobs/${JOB.id}`]: () => {
        deleted.push(JOB.id);
        return {};
      },
    });
    await screen.findByDisplayValue('Roof repair');
    const openDeleteDialog = async () => {
      await pressButton('More actions');
      const item = await screen.findByRole('menuitem', { name: 'Delete' });
      await act(async () => fireEvent.click(item));
      return within(await screen.findByRole('alertdialog', { name: 'Delete job “Roof repair”?' }));
    };
    const question = await openDeleteDialog();
    question.getByText('Its items, comments and files will also be deleted. Tracked time stays on the time sheet.');
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel' })));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(deleted).toEqual([]);
    const again = await openDeleteDialog();
    await act(async () => fireEvent.click(again.getByRole('button', { name: 'Delete' })));
    await waitFor(() => expect(path()).toBe('/jobs'));
    expect(successToast.mock.lastCall?.[0]).toBe('Job deleted successfully');
  });

  it('shows a not-found page for a missing job', async () => {
    openJobForm(EDIT_JOB_PATH, { [`GET /jobs/${JOB.id}`]: () => failWith('NOT_FOUND', 'Job not found') });
    expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
  });
});
