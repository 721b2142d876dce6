import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { jobOptions } from '../src/features/jobs/jobs.api.ts';
import { toast } from '../src/ui/toast.ts';
import { check, EDIT, fakeToday, isChecked, open } from './open-job-form.ts';
import { press, refuse, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { CUSTOMER, DRAINS, GAS, JOB } from './people.ts';

fakeToday();

describe('editing a job', () => {
  it('starts from what is stored, and saves the status that is chosen', async () => {
    const { server, path } = open(EDIT);
    await screen.findByDisplayValue('Roof repair');
    expect(['Booking date', 'Booking time', 'Duration', 'Duration unit'].map(valueOf)).toEqual(['2026-04-06', '08:00', '2', 'hours']);
    expect(isChecked(/^Use alternate address/)).toBe(false);
    await check('Canceled');
    await press('Save Changes');
    await waitForToasts('Job updated successfully');
    expect(server.updated).toMatchObject([
      {
        version: 1,
        status: 'canceled',
        booking_date: JOB.booking_date,
        category_ids: [DRAINS.id],
        job_type: 'fixed',
        fixed_amount: '500.00',
      },
    ]);
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
  });

  it('waits for the categories, which would push down what is below them', async () => {
    const answer = Promise.withResolvers<void>();
    const { queryClient } = open(EDIT, {
      'GET /categories': async () => {
        await answer.promise;
        return { rows: [DRAINS, GAS] };
      },
    });
    await waitFor(() => expect(queryClient.getQueryData(jobOptions(JOB.id).queryKey)).toBeDefined());
    await act(async () => new Promise(requestAnimationFrame));
    expect(screen.queryByDisplayValue('Roof repair')).toBeNull();
    await act(async () => answer.resolve());
    await screen.findByDisplayValue('Roof repair');
    expect(isChecked('Drains')).toBe(true);
  });

  it("shows whole days, and the address that is not the customer's", async () => {
    const { server } = open(EDIT, { [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, duration: '72', address: '9 Mill Lane' }) });
    await screen.findByDisplayValue('9 Mill Lane');
    expect(valueOf('Duration')).toBe('3');
    expect(isChecked(/^Use alternate address/)).toBe(true);
    typeInto('Title', 'Roof');
    await press('Save Changes');
    await waitFor(() => expect(server.updated).toMatchObject([{ duration: '72', use_alternate_address: true, address: '9 Mill Lane' }]));
  });

  it('keeps a duration of quarter hours that the calendar made', async () => {
    const { server } = open(EDIT, { [`GET /jobs/${JOB.id}`]: () => ({ ...JOB, duration: '1.25' }) });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await press('Save Changes');
    await waitFor(() => expect(server.updated).toMatchObject([{ title: 'Roof', duration: '1.25' }]));
  });

  it('takes quarter hours only where the calendar made some', async () => {
    open(EDIT);
    await screen.findByDisplayValue('Roof repair');
    typeInto('Duration', '1.25');
    await press('Save Changes');
    expect(await screen.findByText('Duration must be at least 0.5 hours, in steps of 0.5')).toBeDefined();
    expect(screen.queryByText('A job with a date and time is saved as Booked.')).toBeNull();
  });

  it('says that a new booking makes a pending job booked, but not that an old one does', async () => {
    const hint = 'A job with a date and time is saved as Booked.';
    open(EDIT);
    await screen.findByDisplayValue('Roof repair');
    await check('Pending');
    expect(screen.queryByText(hint)).toBeNull();
    typeInto('Booking date', '2026-04-09');
    await check('Pending');
    await screen.findByText(hint);
  });

  it('names the category that someone else has removed', async () => {
    open(EDIT, {
      [`PUT /jobs/${JOB.id}`]: () =>
        refuse('STALE_VERSION', 'Someone else has changed this.', { current: { ...JOB, categories: [], version: 2 } }),
    });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await press('Save Changes');
    expect((await screen.findByRole('alert')).textContent).toContain('Theirs: Drains removed');
  });

  it('shows what someone else has changed, by the names of people and categories', async () => {
    const theirs = { ...JOB, title: 'Roof leak', staff_id: null, staff: null, categories: [DRAINS, GAS], version: 2 };
    open(EDIT, {
      [`PUT /jobs/${JOB.id}`]: () => refuse('STALE_VERSION', 'Someone else has changed this.', { current: theirs }),
    });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await press('Save Changes');
    const card = await screen.findByRole('alert');
    for (const text of ['Someone else has changed this job.', 'Roof leak', 'Gas']) expect(card.textContent).toContain(text);
    expect(card.textContent).not.toContain(GAS.id);
  });

  it('by two people keeps what each of them changed', async () => {
    const updated: unknown[] = [];
    const theirs = { ...JOB, description: 'Three tiles are missing.', duration: '4', version: 2 };
    const answers = [
      () => refuse('STALE_VERSION', 'Someone else has changed this.', { current: theirs }),
      () => ({ ...theirs, title: 'Roof', version: 3 }),
    ];
    const { path } = open(EDIT, {
      [`PUT /jobs/${JOB.id}`]: (input) => {
        updated.push(input);
        return answers.shift()?.();
      },
    });
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    await press('Save Changes');
    await press('Keep my changes');
    await waitFor(() => expect(path()).toBe(`/jobs/${JOB.id}`));
    expect(updated[1]).toMatchObject({ version: 2, title: 'Roof', description: 'Three tiles are missing.', duration: '4' });
  });

  it('that was deleted elsewhere can be saved as a new job', async () => {
    const { server, queryClient } = open(EDIT);
    await screen.findByDisplayValue('Roof repair');
    typeInto('Title', 'Roof');
    server.job = null;
    await act(async () => queryClient.invalidateQueries());
    await screen.findByText(/^This job has been deleted/);
    await press('Save as new job');
    await waitFor(() => expect(server.created).toMatchObject([{ title: 'Roof', customer_id: CUSTOMER.id }]));
  });

  it('names what is deleted with it; Cancel keeps it', async () => {
    const deleted: string[] = [];
    // Seen when it is said: on a busy machine a toast is gone before the page after it is there.
    const said = vi.spyOn(toast, 'success');
    onTestFinished(() => said.mockRestore());
    const { path } = open(EDIT, {
      [`DELETE /jobs/${JOB.id}`]: () => {
        deleted.push(JOB.id);
        return {};
      },
    });
    await screen.findByDisplayValue('Roof repair');
    const ask = async () => {
      await press('More actions');
      const item = await screen.findByRole('menuitem', { name: 'Delete' });
      await act(async () => fireEvent.click(item));
      return within(await screen.findByRole('alertdialog', { name: 'Delete job “Roof repair”?' }));
    };
    const question = await ask();
    question.getByText('Its items, comments and files are deleted with it. Worked time stays on the time sheet.');
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel' })));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(deleted).toEqual([]);
    const again = await ask();
    await act(async () => fireEvent.click(again.getByRole('button', { name: 'Delete' })));
    await waitFor(() => expect(path()).toBe('/jobs'));
    expect(said.mock.lastCall?.[0]).toBe('Job deleted successfully');
  });

  it('of a job that is not there says so', async () => {
    open(EDIT, { [`GET /jobs/${JOB.id}`]: () => refuse('NOT_FOUND', 'Job not found') });
    expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
  });
});
