import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ADMIN_USER, CUSTOMER, DRAINS_CATEGORY, GAS_CATEGORY, JOB, SAM } from './fixtures.ts';
import { buildCustomerSearchCall, clickByLabel, fakeToday, fillJobForm, isChecked, openJobForm } from './open-job-form.ts';
import { failWith, getToasts, getValue, pressButton, typeInto, waitForFocus, waitForToasts } from './open-page.tsx';

fakeToday();

describe('new job form', () => {
  it("defaults to today at 8 AM in the company's time zone, pending, for one hour", async () => {
    openJobForm('/jobs/new');
    await screen.findByLabelText('Title');
    expect(['Booking date', 'Booking time', 'Duration', 'Duration unit'].map(getValue)).toEqual(['2026-04-06', '08:00', '1', 'hours']);
    expect(isChecked('Pending')).toBe(true);
    expect(screen.getByText('Times are in Auckland time')).toBeDefined();
    expect(document.querySelectorAll('datalist option')).toHaveLength(96);
  });

  it('preselects the only staff member without making the form dirty', async () => {
    const { path } = openJobForm('/jobs/new', { 'GET /staff-names': () => ({ rows: [SAM] }) });
    await screen.findByRole('option', { name: 'Sam Leota' });
    await waitFor(() => expect(getValue('Assigned staff')).toBe(SAM.id));
    await pressButton('Cancel');
    await waitFor(() => expect(path()).toBe('/jobs'));
  });

  it('preselects no staff member when there are several', async () => {
    openJobForm('/jobs/new');
    await screen.findByRole('option', { name: 'Sam Leota' });
    expect(getValue('Assigned staff')).toBe('');
  });

  it('shows why categories failed to load and reloads them on Retry', async () => {
    const server = { response: (): unknown => failWith('FORBIDDEN', 'You may not see this') };
    openJobForm('/jobs/new', { 'GET /categories': () => server.response() });
    const retry = await screen.findByRole('button', { name: 'Retry' });
    expect(screen.getByRole('alert').textContent).toContain('You may not see this');
    expect(screen.queryByText('No categories found')).toBeNull();
    retry.focus();
    await act(async () => fireEvent.click(retry));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Retry' }));
    server.response = () => ({ rows: [DRAINS_CATEGORY] });
    await pressButton('Retry');
    expect(await screen.findByLabelText(DRAINS_CATEGORY.name)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Categories' }));
  });

  it('hides the category filter when there are no categories', async () => {
    openJobForm('/jobs/new', { 'GET /categories': () => ({ rows: [] }) });
    await screen.findByText('No categories found');
    expect(screen.queryByLabelText('Filter categories')).toBeNull();
  });

  it('requires a customer and searches the active customers', async () => {
    openJobForm('/jobs/new', {
      [buildCustomerSearchCall('ana')]: () => ({ rows: [CUSTOMER], next_cursor: null }),
      [buildCustomerSearchCall('zzz')]: () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText('Title');
    const create = screen.getByRole<HTMLButtonElement>('button', { name: 'Create Job' });
    expect(create.disabled).toBe(true);
    expect(screen.getByText('Customer is required')).toBeDefined();
    typeInto('Search customers', 'zzz');
    await screen.findByText('No customers found');
    typeInto('Search customers', 'ana');
    await pressButton(/^Ana Rossi/);
    await waitFor(() => expect(create.disabled).toBe(false));
    await pressButton('Change');
    await waitFor(() => expect(create.disabled).toBe(true));
  });

  it('hides the customer picker when the link names a customer', async () => {
    openJobForm(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByText('Ana Rossi');
    expect(screen.queryByLabelText('Search customers')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
  });

  it('warns that the customer in the link is inactive', async () => {
    openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, { [`GET /customers/${CUSTOMER.id}`]: () => ({ ...CUSTOMER, status: 'inactive' }) });
    expect(await screen.findByText('This customer is inactive.')).toBeDefined();
  });

  it('shows the customer picker when the link names an unknown customer', async () => {
    openJobForm('/jobs/new?customer=7');
    expect(await screen.findByLabelText('Search customers')).toBeDefined();
  });

  it('creates the job from the typed values and opens it', async () => {
    const { server, path } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    await fillJobForm();
    await clickByLabel('Gas');
    await clickByLabel('Drains');
    const filterHasFocus = () => document.activeElement === screen.getByLabelText('Filter categories');
    expect(filterHasFocus()).toBe(false);
    await pressButton('Make Drains the main category');
    expect(filterHasFocus()).toBe(true);
    screen.getByLabelText('Title').focus();
    await pressButton('Remove Gas');
    expect(filterHasFocus()).toBe(true);
    await clickByLabel('Gas');
    typeInto('Duration', '2');
    typeInto('Duration unit', 'days');
    await pressButton('Create Job');
    await waitForToasts('Job created successfully');
    expect(server.created).toMatchObject([
      {
        customer_id: CUSTOMER.id,
        title: 'Roof repair',
        description: 'Two tiles are missing.',
        staff_id: SAM.id,
        category_ids: [DRAINS_CATEGORY.id, GAS_CATEGORY.id],
        booking_date: '2026-04-05T20:00:00.000Z',
        duration: '48',
        status: 'pending',
        job_type: 'fixed',
        use_alternate_address: false,
        address: null,
      },
    ]);
    const { id } = server.created[0] as Job;
    await waitFor(() => expect(path()).toBe(`/jobs/${id}`));
  });

  it('shows an error beside each missing field', async () => {
    const { server } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    typeInto('Booking date', '');
    typeInto('Booking time', '');
    typeInto('Duration', '');
    await clickByLabel(/^Use alternate address/);
    await pressButton('Create Job');
    for (const label of ['Title', 'Description', 'Assigned staff', 'Booking date', 'Booking time', 'Duration', 'Alternate address']) {
      await screen.findByText(`${label} is required`);
    }
    expect(server.created).toEqual([]);
  });

  const [HOURS, DAYS] = ['hours', 'days'].map((unit) => `Duration must be at least 0.5 ${unit}, in steps of 0.5`);
  it.each([
    ['0.25', 'hours', HOURS],
    ['1.25', 'hours', HOURS],
    ['0.7', 'hours', HOURS],
    ['0', 'hours', HOURS],
    ['0.1', 'days', DAYS],
    ['abc', 'hours', 'Duration must be a number'],
    ['1e3', 'hours', 'Duration must be a number'],
    ['100000', 'hours', 'Duration must be at most 9,999 hours'],
    ['417', 'days', 'Duration must be at most 416 days'],
  ])('rejects a duration of %s %s', async (duration, unit, sentence = '') => {
    const { server } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    await fillJobForm();
    typeInto('Duration', duration);
    typeInto('Duration unit', unit);
    await pressButton('Create Job');
    expect(await screen.findByText(sentence)).toBeDefined();
    expect(server.created).toEqual([]);
  });

  it('hints that the job is saved as Booked only for statuses before Booked', async () => {
    const hint = 'This job has a date and time, so it will be saved as Booked.';
    openJobForm('/jobs/new');
    await screen.findByText(hint);
    await clickByLabel('Complete');
    await waitFor(() => expect(screen.queryByText(hint)).toBeNull());
    await clickByLabel('Contacted');
    await screen.findByText(hint);
  });

  it('selects Booked whenever the date or time changes', async () => {
    openJobForm('/jobs/new');
    await screen.findByLabelText('Title');
    await act(async () => typeInto('Booking time', '09:00'));
    await waitFor(() => expect(isChecked('Booked')).toBe(true));
    await clickByLabel('Complete');
    expect(isChecked('Complete')).toBe(true);
    await act(async () => typeInto('Booking date', '2026-04-07'));
    await waitFor(() => expect(isChecked('Booked')).toBe(true));
  });

  it("shows the amount field of the job type and prefills the company's hourly rate", async () => {
    openJobForm('/jobs/new');
    await screen.findByLabelText(/^Fixed amount/);
    await clickByLabel('Hourly');
    expect((await screen.findByLabelText<HTMLInputElement>(/^Hourly rate/)).value).toBe('95.00');
    expect(screen.queryByLabelText(/^Fixed amount/)).toBeNull();
  });

  it.each([
    ['2026-09-27', '02:30', 'Clocks go forward that night and skip this time. The job is booked for 3:30 AM.', '2026-09-26T14:30:00.000Z'],
    [
      '2027-04-04',
      '02:30',
      'Clocks go back that night, so 2:30 AM occurs twice. The job is booked for the first one.',
      '2027-04-03T13:30:00.000Z',
    ],
  ])('explains the clock change for a booking on %s at %s', async (date, time, sentence, instant) => {
    const { server } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    await fillJobForm();
    await act(async () => {
      typeInto('Booking date', date);
      typeInto('Booking time', time);
    });
    expect(await screen.findByText(sentence)).toBeDefined();
    await pressButton('Create Job');
    await waitFor(() => expect(server.created).toMatchObject([{ booking_date: instant }]));
  });

  it('mentions that the description is printed on the invoice', async () => {
    openJobForm('/jobs/new');
    const description = await screen.findByLabelText('Description');
    const hint = document.getElementById(description.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toContain("Printed on the customer's invoice.");
  });

  it('selects the first matching customer on Enter', async () => {
    openJobForm('/jobs/new', {
      [buildCustomerSearchCall('ana')]: () => ({ rows: [CUSTOMER], next_cursor: null }),
      [buildCustomerSearchCall('an')]: () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText('Title');
    typeInto('Search customers', 'an');
    await screen.findByText('No customers found');
    typeInto('Search customers', 'ana');
    // Enter must not select from the results of the previous search.
    fireEvent.keyDown(screen.getByLabelText('Search customers'), { key: 'Enter' });
    await screen.findByRole('button', { name: /^Ana Rossi/ });
    await act(async () => fireEvent.keyDown(screen.getByLabelText('Search customers'), { key: 'Enter' }));
    expect(await screen.findByRole('button', { name: 'Change' })).toBeDefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  });

  it('shows an error at the staff field when that staff member was deleted, keeping the typed values', async () => {
    const sentence = 'This staff member no longer exists. Please choose another one.';
    openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, {
      'POST /jobs': () => failWith('INVALID_INPUT', sentence, { fields: { staff_id: sentence } }),
    });
    await screen.findByLabelText('Title');
    await fillJobForm();
    await pressButton('Create Job');
    expect(await screen.findByText(sentence)).toBeDefined();
    expect(screen.getByLabelText('Assigned staff').getAttribute('aria-invalid')).toBe('true');
    expect([getValue('Title'), getValue('Description')]).toEqual(['Roof repair', 'Two tiles are missing.']);
    expect(getToasts()).toEqual([]);
  });

  it.each(['/jobs/new', `/jobs/new?customer=${CUSTOMER.id}`])(
    'asks for another customer if the one on %s was deleted, keeping the typed values',
    async (path) => {
      const sentence = 'This customer no longer exists. Please choose another one.';
      openJobForm(path, { 'POST /jobs': () => failWith('INVALID_INPUT', sentence, { fields: { customer_id: sentence } }) });
      await screen.findByLabelText('Title');
      if (path === '/jobs/new') await pressButton(/^Ana Rossi/);
      await fillJobForm();
      await pressButton('Create Job');
      await waitForFocus('Search customers');
      expect([screen.getByText(sentence).isConnected, getValue('Title'), getToasts()]).toEqual([true, 'Roof repair', []]);
      await pressButton(/^Ana Rossi/);
      expect(screen.queryByText(sentence)).toBeNull();
    },
  );

  it('asks for another customer as soon as the one in the link is deleted', async () => {
    const server = { customer: (): unknown => CUSTOMER };
    const { queryClient } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, {
      [`GET /customers/${CUSTOMER.id}`]: () => server.customer(),
    });
    await fillJobForm();
    server.customer = () => failWith('NOT_FOUND', 'Customer not found');
    await act(async () => queryClient.invalidateQueries());
    expect(await screen.findByText('This customer no longer exists. Please choose another one.')).toBeDefined();
    expect(getValue('Title')).toBe('Roof repair');
  });

  it('focuses the title after a customer is selected by keyboard', async () => {
    openJobForm('/jobs/new', { [buildCustomerSearchCall('Mere')]: () => ({ rows: [CUSTOMER], next_cursor: null }) });
    await screen.findByLabelText('Title');
    typeInto('Search customers', 'Mere');
    await screen.findByRole('list', { name: 'Customers' });
    await waitFor(async () => {
      const search = screen.queryByLabelText('Search customers');
      if (search) await act(async () => fireEvent.keyDown(search, { key: 'Enter' }));
      expect(screen.queryByLabelText('Search customers')).toBeNull();
    });
    await waitForFocus('Title');
  });

  it('asks for confirmation before discarding a partly entered new customer', async () => {
    openJobForm('/jobs/new');
    await pressButton('New Customer');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add New Customer' }));
    const name = await sheet.findByLabelText<HTMLInputElement>('Name');
    fireEvent.change(name, { target: { value: 'Mere Rangi' } });
    await act(async () => fireEvent.keyDown(name, { key: 'Escape' }));
    await pressButton('Keep editing');
    expect(name.isConnected && name.value).toBe('Mere Rangi');
    await act(async () => fireEvent.click(sheet.getByRole('button', { name: 'Cancel' })));
    await pressButton('Leave');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('closes an untouched new customer sheet on Back without asking about the unsaved job below it', async () => {
    const { router, path } = openJobForm('/jobs');
    await act(() => router.navigate({ to: '/jobs/new' }));
    await screen.findByLabelText('Title');
    await act(async () => typeInto('Title', 'Roof repair'));
    await pressButton('New Customer');
    await screen.findByRole('dialog', { name: 'Add New Customer' });
    await act(async () => router.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect([path(), getValue('Title')]).toEqual(['/jobs/new', 'Roof repair']);
    await act(async () => router.history.back());
    await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
  });

  it('asks before Back discards a partly entered new customer over an unsaved job', async () => {
    const { router, path } = openJobForm('/jobs');
    await act(() => router.navigate({ to: '/jobs/new' }));
    await screen.findByLabelText('Title');
    await act(async () => typeInto('Title', 'Roof repair'));
    await pressButton('New Customer');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add New Customer' }));
    await act(async () => fireEvent.change(sheet.getByLabelText('Name'), { target: { value: 'Mere Rangi' } }));
    await act(async () => router.history.back());
    await pressButton('Keep editing');
    expect(sheet.getByLabelText<HTMLInputElement>('Name').value).toBe('Mere Rangi');
    expect(path()).toBe('/jobs/new');
  });

  it('does not report an unsaved job because of an unfinished new customer', async () => {
    const draft = { kept_at: Date.now(), fields: [['name', 'Mere Rangi']] };
    localStorage.setItem(`callout-lasting-draft ${ADMIN_USER.user.id} /jobs/new #customer slot-1`, JSON.stringify(draft));
    openJobForm('/jobs/new');
    await screen.findByLabelText('Title');
    expect(screen.queryByText(/You have an unsaved job/)).toBeNull();
  });

  it('adds a new customer without leaving the job form', async () => {
    const { path } = openJobForm('/jobs/new', {
      [buildCustomerSearchCall('Zoe')]: () => ({ rows: [], next_cursor: null }),
      'GET /customers/duplicates?email=zoe%40example.com': () => ({ rows: [] }),
      'GET /customers/duplicates?phone=021+555+77': () => ({ rows: [] }),
      'POST /customers': (input) => ({ ...CUSTOMER, ...(input as object) }),
    });
    await screen.findByLabelText('Title');
    typeInto('Title', 'Roof repair');
    typeInto('Search customers', 'Zoe');
    await pressButton('New Customer');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add New Customer' }));
    expect(sheet.getByLabelText<HTMLInputElement>('Name').value).toBe('Zoe');
    for (const [label, value] of Object.entries({ Phone: '021 555 77', Email: 'zoe@example.com', 'Street address': '2 Low Street' })) {
      fireEvent.change(sheet.getByLabelText(label), { target: { value } });
    }
    await act(async () => fireEvent.click(sheet.getByRole('button', { name: 'Add Customer' })));
    await screen.findByText('021 555 77 · 2 Low Street');
    expect([path(), getValue('Title')]).toEqual(['/jobs/new', 'Roof repair']);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitForFocus('Title');
  });

  it('keeps the typed values when it is refused and reuses the job id on retry', async () => {
    const sent: Job[] = [];
    const { path } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, {
      'POST /jobs': (input) => {
        sent.push(input as Job);
        if (sent.length === 1) failWith('FORBIDDEN', 'No');
        return { ...JOB, id: sent[0]?.id };
      },
    });
    await screen.findByLabelText('Title');
    await fillJobForm();
    await pressButton('Create Job');
    await waitForToasts('Failed to create job: No');
    expect(getValue('Title')).toBe('Roof repair');
    await pressButton('Create Job');
    await waitFor(() => expect(path()).toBe(`/jobs/${sent[0]?.id}`));
    expect(sent[1]?.id).toBe(sent[0]?.id);
  });

  it('shows why the job was not created and keeps the typed values', async () => {
    openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, { 'POST /jobs': () => failWith('FORBIDDEN', 'No') });
    await screen.findByLabelText('Title');
    await fillJobForm();
    await pressButton('Create Job');
    await waitForToasts('Failed to create job: No');
    expect(getValue('Title')).toBe('Roof repair');
  });
});
