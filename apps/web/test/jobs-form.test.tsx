import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answers, openPage, press, refuse, toastTexts, typeInto, valueOf, waitForToasts } from './open-page.tsx';
import { CUSTOMER, DRAINS, GAS, JOB, OWNER, PROFILE, SAM } from './people.ts';

const ACTIVE = 'GET /customers?status=active&sort=name&order=asc';
const found = (term: string) => `GET /customers?search=${term}&status=active&sort=name&order=asc`;
const EDIT = `/jobs/${JOB.id}/edit`;
const check = (label: string | RegExp) => act(async () => fireEvent.click(screen.getByLabelText(label)));
const isChecked = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).checked;

beforeEach(() => {
  // Already the 6th in Auckland.
  vi.useFakeTimers({ now: new Date('2026-04-05T20:30:00Z'), toFake: ['Date'] });
});
afterEach(() => vi.useRealTimers());

function open(path: string, more: Answers = {}) {
  const server = { job: JOB as Job | null, created: [] as unknown[], updated: [] as unknown[] };
  const page = openPage(path, {
    'GET /me': () => ({ ...OWNER, profile: { ...PROFILE, default_hourly_rate: '95.00' } }),
    'GET /staff-names': () => ({ rows: [SAM] }),
    'GET /categories': () => ({ rows: [DRAINS, GAS] }),
    [ACTIVE]: () => ({ rows: [CUSTOMER], next_cursor: null }),
    [`GET /customers/${CUSTOMER.id}`]: () => CUSTOMER,
    'GET /customers/7': () => refuse('INVALID_INPUT', 'This is not a valid id'),
    'GET /jobs/count': () => ({ total: 0 }),
    'GET /jobs?sort=created_at&order=desc': () => ({ rows: [], next_cursor: null }),
    [`GET /jobs/${JOB.id}`]: () => server.job ?? refuse('NOT_FOUND', 'Job not found'),
    [`PUT /jobs/${JOB.id}`]: (input) => {
      server.updated.push(input);
      return { ...JOB, version: 2 };
    },
    'POST /jobs': (input) => {
      server.created.push(input);
      const { id } = input as Job;
      return { ...JOB, id };
    },
    ...more,
  });
  return { ...page, server };
}

async function fill() {
  await screen.findByRole('option', { name: 'Sam Leota' });
  typeInto('Title', 'Roof repair');
  typeInto('Description', 'Two tiles are missing.');
  typeInto('Assigned staff', SAM.id);
}

describe('a new job', () => {
  it("starts today at 8 in the company's zone, pending, for an hour", async () => {
    open('/jobs/new');
    await screen.findByLabelText('Title');
    expect(['Booking date', 'Booking time', 'Duration', 'Duration unit'].map(valueOf)).toEqual(['2026-04-06', '08:00', '1', 'hours']);
    expect(isChecked('Pending')).toBe(true);
    expect(screen.getByText('Date and time in Auckland time')).toBeDefined();
    expect(document.querySelectorAll('datalist option')).toHaveLength(96);
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
    await press('Make Drains the main category');
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

  it.each(['0.25', '0.7', '0', 'x'])('of %s hours is refused', async (hours) => {
    open(`/jobs/new?customer=${CUSTOMER.id}`);
    await screen.findByLabelText('Title');
    await fill();
    typeInto('Duration', hours);
    await press('Create Job');
    expect(await screen.findByText('Duration must be at least 0.5 hours, in steps of 0.25')).toBeDefined();
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
      return within(await screen.findByRole('alertdialog', { name: 'Delete Roof repair' }));
    };
    const question = await ask();
    question.getByText('Its items, comments and files are deleted with it. Worked time stays on the timesheets.');
    await act(async () => fireEvent.click(question.getByRole('button', { name: 'Cancel' })));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(deleted).toEqual([]);
    const again = await ask();
    await act(async () => fireEvent.click(again.getByRole('button', { name: 'Delete' })));
    await waitForToasts('Job deleted successfully');
    await waitFor(() => expect(path()).toBe('/jobs'));
  });

  it('of a job that is not there says so', async () => {
    open(EDIT, { [`GET /jobs/${JOB.id}`]: () => refuse('NOT_FOUND', 'Job not found') });
    expect(await screen.findByRole('heading', { name: 'Job not found' })).toBeDefined();
  });
});
