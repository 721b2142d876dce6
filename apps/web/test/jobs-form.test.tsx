import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { check, fakeToday, fill, found, isChecked, open } from './open-job-form.ts';
import { press, refuse, toastTexts, typeInto, valueOf, waitForFocus, waitForToasts } from './open-page.tsx';
import { CUSTOMER, DRAINS, GAS, JOB, SAM } from './people.ts';

fakeToday();

describe('a new job', () => {
  it("starts today at 8 in the company's zone, pending, for an hour", async () => {
    open('/jobs/new');
    await screen.findByLabelText('Title');
    expect(['Booking date', 'Booking time', 'Duration', 'Duration unit'].map(valueOf)).toEqual(['2026-04-06', '08:00', '1', 'hours']);
    expect(isChecked('Pending')).toBe(true);
    expect(screen.getByText('Times are in Auckland time')).toBeDefined();
    expect(document.querySelectorAll('datalist option')).toHaveLength(96);
  });

  it('of a firm of one is theirs, and may be left without a question', async () => {
    const { path } = open('/jobs/new', { 'GET /staff-names': () => ({ rows: [SAM] }) });
    await screen.findByRole('option', { name: 'Sam Leota' });
    await waitFor(() => expect(valueOf('Assigned staff')).toBe(SAM.id));
    await press('Cancel');
    await waitFor(() => expect(path()).toBe('/jobs'));
  });

  it('is assigned to nobody while there is a choice', async () => {
    open('/jobs/new');
    await screen.findByRole('option', { name: 'Sam Leota' });
    expect(valueOf('Assigned staff')).toBe('');
  });

  it('says that the categories could not be read, and reads them again', async () => {
    const server = { answer: (): unknown => refuse('FORBIDDEN', 'You may not see this') };
    open('/jobs/new', { 'GET /categories': () => server.answer() });
    const retry = await screen.findByRole('button', { name: 'Retry' });
    expect(screen.getByRole('alert').textContent).toContain('You may not see this');
    expect(screen.queryByText('No categories found')).toBeNull();
    retry.focus();
    await act(async () => fireEvent.click(retry));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Retry' }));
    server.answer = () => ({ rows: [DRAINS] });
    await press('Retry');
    expect(await screen.findByLabelText(DRAINS.name)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Categories' }));
  });

  it('has nothing to filter without categories', async () => {
    open('/jobs/new', { 'GET /categories': () => ({ rows: [] }) });
    await screen.findByText('No categories found');
    expect(screen.queryByLabelText('Filter categories')).toBeNull();
  });

  it('needs a customer, who is found among the active ones', async () => {
    open('/jobs/new', {
      [found('ana')]: () => ({ rows: [CUSTOMER], next_cursor: null }),
      [found('zzz')]: () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText('Title');
    const create = screen.getByRole<HTMLButtonElement>('button', { name: 'Create Job' });
    expect(create.disabled).toBe(true);
    expect(screen.getByText('Customer is required')).toBeDefined();
    typeInto('Search customers', 'zzz');
    await screen.findByText('No customers found');
    typeInto('Search customers', 'ana');
    await press(/^Ana Rossi/);
    await waitFor(() => expect(create.disabled).toBe(false));
    await press('Change');
    await waitFor(() => expect(create.disabled).toBe(true));
  });

  it('of the customer in the link has no picker; an unknown one counts as none', async () => {
    open(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByText('Ana Rossi');
    expect(screen.queryByLabelText('Search customers')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
  });

  it('of an inactive customer in the link says so', async () => {
    open(`/jobs/new?customer=${CUSTOMER.id}`, { [`GET /customers/${CUSTOMER.id}`]: () => ({ ...CUSTOMER, status: 'inactive' }) });
    expect(await screen.findByText('This customer is inactive.')).toBeDefined();
  });

  it('of a customer that is not there shows the picker', async () => {
    open('/jobs/new?customer=7');
    expect(await screen.findByLabelText('Search customers')).toBeDefined();
  });

  it('is created with what was typed, and opens', async () => {
    const { server, path } = open(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    await fill();
    await check('Gas');
    await check('Drains');
    const filterHasFocus = () => document.activeElement === screen.getByLabelText('Filter categories');
    expect(filterHasFocus()).toBe(false);
    await press('Make Drains the main category');
    expect(filterHasFocus()).toBe(true);
    screen.getByLabelText('Title').focus();
    await press('Remove Gas');
    expect(filterHasFocus()).toBe(true);
    await check('Gas');
    typeInto('Duration', '2');
    typeInto('Duration unit', 'days');
    await press('Create Job');
    await waitForToasts('Job created successfully');
    expect(server.created).toMatchObject([
      {
        customer_id: CUSTOMER.id,
        title: 'Roof repair',
        description: 'Two tiles are missing.',
        staff_id: SAM.id,
        category_ids: [DRAINS.id, GAS.id],
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

  it('says beside each field what is missing', async () => {
    const { server } = open(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    typeInto('Booking date', '');
    typeInto('Booking time', '');
    typeInto('Duration', '');
    await check(/^Use alternate address/);
    await press('Create Job');
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
  ])('of %s %s is refused', async (duration, unit, sentence = '') => {
    const { server } = open(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    await fill();
    typeInto('Duration', duration);
    typeInto('Duration unit', unit);
    await press('Create Job');
    expect(await screen.findByText(sentence)).toBeDefined();
    expect(server.created).toEqual([]);
  });

  it('says that it will be booked, as long as its status would be raised', async () => {
    const hint = 'A job with a date and time is saved as Booked.';
    open('/jobs/new');
    await screen.findByText(hint);
    await check('Complete');
    await waitFor(() => expect(screen.queryByText(hint)).toBeNull());
    await check('Contacted');
    await screen.findByText(hint);
  });

  it('is booked as soon as its date or time changes, unless another status is chosen then', async () => {
    open('/jobs/new');
    await screen.findByLabelText('Title');
    await act(async () => typeInto('Booking time', '09:00'));
    await waitFor(() => expect(isChecked('Booked')).toBe(true));
    await check('Complete');
    expect(isChecked('Complete')).toBe(true);
    await act(async () => typeInto('Booking date', '2026-04-07'));
    await waitFor(() => expect(isChecked('Booked')).toBe(true));
  });

  it("asks for the amount of its type, the hourly rate starting from the company's", async () => {
    open('/jobs/new');
    await screen.findByLabelText(/^Fixed amount/);
    await check('Hourly');
    expect((await screen.findByLabelText<HTMLInputElement>(/^Hourly rate/)).value).toBe('95.00');
    expect(screen.queryByLabelText(/^Fixed amount/)).toBeNull();
  });

  it.each([
    ['2026-09-27', '02:30', 'Clocks go forward that night and skip this time. The job is booked for 3:30 AM.', '2026-09-26T14:30:00.000Z'],
    [
      '2027-04-04',
      '02:30',
      'Clocks go back that night and show 2:30 AM twice. The job is booked for the first one.',
      '2027-04-03T13:30:00.000Z',
    ],
  ])('on %s at %s says what the changing clocks make of it', async (date, time, sentence, instant) => {
    const { server } = open(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    await fill();
    await act(async () => {
      typeInto('Booking date', date);
      typeInto('Booking time', time);
    });
    expect(await screen.findByText(sentence)).toBeDefined();
    await press('Create Job');
    await waitFor(() => expect(server.created).toMatchObject([{ booking_date: instant }]));
  });

  it('says that its description is printed on the invoice', async () => {
    open('/jobs/new');
    const description = await screen.findByLabelText('Description');
    const hint = document.getElementById(description.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toContain("Printed on the customer's invoice.");
  });

  it('takes the first customer found with Enter', async () => {
    open('/jobs/new', {
      [found('ana')]: () => ({ rows: [CUSTOMER], next_cursor: null }),
      [found('an')]: () => ({ rows: [], next_cursor: null }),
    });
    await screen.findByLabelText('Title');
    typeInto('Search customers', 'an');
    await screen.findByText('No customers found');
    typeInto('Search customers', 'ana');
    // Nothing is picked while the list still answers the search before.
    fireEvent.keyDown(screen.getByLabelText('Search customers'), { key: 'Enter' });
    await screen.findByRole('button', { name: /^Ana Rossi/ });
    await act(async () => fireEvent.keyDown(screen.getByLabelText('Search customers'), { key: 'Enter' }));
    expect(await screen.findByRole('button', { name: 'Change' })).toBeDefined();
    expect(document.activeElement).toBe(screen.getByLabelText('Title'));
  });

  it('whose person was deleted meanwhile says so at the field, and keeps everything typed', async () => {
    const sentence = 'This staff member no longer exists. Please choose another one.';
    open(`/jobs/new?customer=${CUSTOMER.id}`, {
      'POST /jobs': () => refuse('INVALID_INPUT', sentence, { fields: { staff_id: sentence } }),
    });
    await screen.findByLabelText('Title');
    await fill();
    await press('Create Job');
    expect(await screen.findByText(sentence)).toBeDefined();
    expect(screen.getByLabelText('Assigned staff').getAttribute('aria-invalid')).toBe('true');
    expect([valueOf('Title'), valueOf('Description')]).toEqual(['Roof repair', 'Two tiles are missing.']);
    expect(toastTexts()).toEqual([]);
  });

  it('whose customer was deleted meanwhile says so, and keeps everything typed', async () => {
    const sentence = 'This customer no longer exists. Please choose another one.';
    open('/jobs/new', {
      'POST /jobs': () => refuse('INVALID_INPUT', sentence, { fields: { customer_id: sentence } }),
    });
    await screen.findByLabelText('Title');
    await press(/^Ana Rossi/);
    await fill();
    await press('Create Job');
    await waitForToasts(sentence);
    expect(valueOf('Title')).toBe('Roof repair');
    await press('Change');
    expect(await screen.findByLabelText('Search customers')).toBeDefined();
  });

  it('filters the categories by name', async () => {
    open('/jobs/new');
    await screen.findByLabelText('Gas');
    typeInto('Filter categories', 'dra');
    expect(screen.queryByLabelText('Gas')).toBeNull();
    screen.getByLabelText('Drains');
    typeInto('Filter categories', 'zzz');
    expect(screen.getByText('No categories found')).toBeDefined();
  });

  it('does not open the keyboard of a phone when a category is removed by a tap', async () => {
    open('/jobs/new');
    await screen.findByLabelText('Gas');
    await check('Gas');
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove Gas' }), { detail: 1 }));
    expect(screen.queryByRole('list', { name: 'Chosen categories' })).toBeNull();
    expect(document.activeElement).not.toBe(screen.getByLabelText('Filter categories'));
  });

  it('goes on with the title once a customer was picked by keyboard', async () => {
    open('/jobs/new', { [found('Mere')]: () => ({ rows: [CUSTOMER], next_cursor: null }) });
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

  it('asks before a new customer that was typed is left', async () => {
    open('/jobs/new');
    await press('New Customer');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add New Customer' }));
    const name = await sheet.findByLabelText<HTMLInputElement>('Name');
    fireEvent.change(name, { target: { value: 'Mere Rangi' } });
    await act(async () => fireEvent.keyDown(name, { key: 'Escape' }));
    await press('Keep editing');
    expect(name.isConnected && name.value).toBe('Mere Rangi');
    await act(async () => fireEvent.click(sheet.getByRole('button', { name: 'Cancel' })));
    await press('Leave');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('gets a new customer without leaving the form', async () => {
    const { path } = open('/jobs/new', {
      [found('Zoe')]: () => ({ rows: [], next_cursor: null }),
      'GET /customers/duplicates?email=zoe%40example.com': () => ({ rows: [] }),
      'GET /customers/duplicates?phone=021+555+77': () => ({ rows: [] }),
      'POST /customers': (input) => ({ ...CUSTOMER, ...(input as object) }),
    });
    await screen.findByLabelText('Title');
    typeInto('Title', 'Roof repair');
    typeInto('Search customers', 'Zoe');
    await press('New Customer');
    const sheet = within(await screen.findByRole('dialog', { name: 'Add New Customer' }));
    expect(sheet.getByLabelText<HTMLInputElement>('Name').value).toBe('Zoe');
    for (const [label, value] of Object.entries({ Phone: '021 555 77', Email: 'zoe@example.com', 'Street address': '2 Low Street' })) {
      fireEvent.change(sheet.getByLabelText(label), { target: { value } });
    }
    await act(async () => fireEvent.click(sheet.getByRole('button', { name: 'Add Customer' })));
    await screen.findByText('021 555 77 · 2 Low Street');
    expect([path(), valueOf('Title')]).toEqual(['/jobs/new', 'Roof repair']);
  });

  it('without a connection keeps what was typed, and is the same job when it is sent again', async () => {
    const sent: Job[] = [];
    const { path } = open(`/jobs/new?customer=${CUSTOMER.id}`, {
      'POST /jobs': (input) => {
        sent.push(input as Job);
        if (sent.length === 1) throw new TypeError('Failed to fetch');
        return { ...JOB, id: sent[0]?.id };
      },
    });
    await screen.findByLabelText('Title');
    await fill();
    await press('Create Job');
    await waitFor(() => expect(toastTexts()[0]).toMatch(/^Failed to create job: .*connection/));
    expect(valueOf('Title')).toBe('Roof repair');
    await press('Create Job');
    await waitFor(() => expect(path()).toBe(`/jobs/${sent[0]?.id}`));
    expect(sent[1]?.id).toBe(sent[0]?.id);
  });

  it('that cannot be created says why and keeps what was typed', async () => {
    open(`/jobs/new?customer=${CUSTOMER.id}`, { 'POST /jobs': () => refuse('FORBIDDEN', 'No') });
    await screen.findByLabelText('Title');
    await fill();
    await press('Create Job');
    await waitForToasts('Failed to create job: No');
    expect(valueOf('Title')).toBe('Roof repair');
  });
});
