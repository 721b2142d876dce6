import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseTimeZone } from '../src/lib/time-zone.ts';
import { EDIT, fakeToday, fill, open } from './open-job-form.ts';
import { press, toastTexts, typeInto, valueOf } from './open-page.tsx';
import { CUSTOMER, JOB, MIA, OWNER, SAM } from './people.ts';

fakeToday();

const CLASH = {
  kind: 'task',
  id: 'other',
  job_number: null,
  title: 'Stock take',
  staff_name: 'Sam Leota',
  starts_at: '2026-04-05T21:00:00.000Z',
  ends_at: '2026-04-05T23:00:00.000Z',
  overlap_minutes: 60,
};
const NAMED = 'Sam Leota is already booked for Stock take, 9:00 – 11:00 AM (1 h overlap). You can book it anyway.';

it('the form of a new job names what else takes the time of the person, and saves it all the same', async () => {
  const asked = `GET /calendar/clashes?staff_id=${SAM.id}&starts_at=2026-04-05T20%3A00%3A00.000Z&duration=2`;
  const { server } = open(`/jobs/new?customer=${CUSTOMER.id}`, { [asked]: () => ({ clashes: [CLASH] }) });
  await screen.findByRole('button', { name: 'Create Job' });
  await fill();
  expect(screen.queryByText(NAMED)).toBeNull();
  typeInto('Duration', '2');
  await screen.findByText(NAMED);
  await press('Create Job');
  await waitFor(() => expect(server.created).toHaveLength(1));
});

it('the form of a stored job does not clash with itself, and a finished job with nothing', async () => {
  const asked = `GET /calendar/clashes?staff_id=${SAM.id}&starts_at=2026-04-05T20%3A00%3A00.000Z&duration=2&except_id=${JOB.id}`;
  open(EDIT, { [asked]: () => ({ clashes: [CLASH] }) });
  await screen.findByText(NAMED);
  await act(async () => screen.getByLabelText('Complete').click());
  await waitFor(() => expect(screen.queryByText(NAMED)).toBeNull());
});

const SAID = 'Sam Leota is already booked for Stock take, 9:00 – 11:00 AM (1 h overlap).';

it('a clash that a colleague made while the form of a new job was open is told once it is saved', async () => {
  let isBooked = false;
  const { server } = open(`/jobs/new?customer=${CUSTOMER.id}`, {
    'GET /calendar/clashes?*': () => ({ clashes: isBooked ? [CLASH] : [] }),
  });
  await screen.findByRole('button', { name: 'Create Job' });
  await fill();
  isBooked = true;
  await press('Create Job');
  await waitFor(() => expect(toastTexts()).toContain(SAID));
  expect(server.created).toHaveLength(1);
});

it.each([
  ['Assigned staff', MIA.id, { staff_id: MIA.id }, [SAID]],
  ['Title', 'Roof', { title: 'Roof' }, []],
] as const)('a saved job asks again for clashes when its booking has changed: %s', async (label, value, change, said) => {
  let isSaved = false;
  open(EDIT, {
    'GET /calendar/clashes?*': () => ({ clashes: isSaved ? [CLASH] : [] }),
    [`PUT /jobs/${JOB.id}`]: () => {
      isSaved = true;
      return { ...JOB, ...change, version: 2 };
    },
  });
  await screen.findByRole('option', { name: MIA.name });
  typeInto(label, value);
  await press('Save Changes');
  await waitFor(() => expect(toastTexts()).toEqual([...said, 'Job updated successfully']));
});

it("date and time are typed in the person's own zone, which is named, and keep it while the form is open", async () => {
  chooseTimeZone('Asia/Tokyo');
  const { server } = open(EDIT);
  await screen.findByText('Times are in Tokyo time');
  expect([valueOf('Booking date'), valueOf('Booking time')]).toEqual(['2026-04-06', '05:00']);
  // Chosen in another tab.
  act(() => chooseTimeZone('Europe/London'));
  screen.getByText('Times are in Tokyo time');
  typeInto('Booking time', '06:00');
  await press('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ booking_date: '2026-04-05T21:00:00.000Z' }]));
});

it("a job's page shows the booking in the person's own zone and says so", async () => {
  chooseTimeZone('Asia/Tokyo');
  open(`/jobs/${JOB.id}`);
  await screen.findByText(/5:00 AM – 7:00 AM|5:00 – 7:00 AM/);
  expect(screen.getByText(/Tokyo time/)).toBeTruthy();
});

it('what was typed for one free time of the calendar does not come with another one', async () => {
  const { router } = open(`/jobs/new?date=2026-04-08&time=14:30&staff=${SAM.id}`);
  await screen.findByRole('option', { name: 'Sam Leota' });
  typeInto('Title', 'Roof repair');
  typeInto('Booking time', '15:00');
  // As a tab that is closed: nobody is asked.
  await act(() => router.navigate({ to: '/jobs', ignoreBlocker: true }));
  await screen.findByRole('heading', { level: 1, name: 'Jobs' });
  const openAt = async (search: object) => {
    await act(() => router.navigate({ to: '/jobs/new', search }));
    await screen.findByRole('option', { name: 'Sam Leota' });
    // Longer than a form looks for what was typed before.
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    return [valueOf('Title'), valueOf('Booking date'), valueOf('Booking time'), valueOf('Assigned staff')];
  };
  expect(await openAt({ date: '2026-04-08', time: '14:30' })).toEqual(['', '2026-04-08', '14:30', '']);
  expect(await openAt({ date: '2026-04-09', time: '10:00', staff: MIA.id })).toEqual(['', '2026-04-09', '10:00', MIA.id]);
  expect(await openAt({})).toEqual(['', '2026-04-06', '08:00', '']);
  expect((await openAt({ date: '2026-04-08', time: '14:30', staff: SAM.id })).slice(0, 3)).toEqual(['Roof repair', '2026-04-08', '15:00']);
});

const keepDraft = (part: string, title: string) => {
  const draft = { kept_at: Date.now(), fields: [['title', title]] };
  localStorage.setItem(`callout-lasting-draft ${OWNER.user.id} /jobs/new ${part} slot`, JSON.stringify(draft));
};

it('a new job offers what was typed for a customer before, and goes on with it there', async () => {
  keepDraft(`${CUSTOMER.id}   `, 'Roof repair');
  const { router } = open('/jobs/new');
  await screen.findByText('You have an unsaved job: “Roof repair”.');
  expect(valueOf('Title')).toBe('');
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Continue' })));
  await waitFor(() => expect(valueOf('Title')).toBe('Roof repair'));
  expect(router.state.location.search).toEqual({ customer: CUSTOMER.id });
  expect(screen.queryByRole('link', { name: 'Continue' })).toBeNull();
});

it.each([
  [` 2026-04-07 09:30 ${SAM.id}`, `?date=2026-04-07&time=${encodeURIComponent('09:30')}&staff=${SAM.id}`],
  [' 2026-04-07  ', '?date=2026-04-07'],
])('a new job offers what was typed for a time in the calendar: %s', async (part, search) => {
  keepDraft(part, '');
  open('/jobs/new');
  await screen.findByText('You have an unsaved job.');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Continue' }).search).toBe(search);
});

it('a new job for somebody offers nothing that was typed for others', async () => {
  keepDraft(' 2026-04-07  ', 'Roof repair');
  open(`/jobs/new?customer=${CUSTOMER.id}`);
  await screen.findByLabelText('Title');
  expect(screen.queryByRole('link', { name: 'Continue' })).toBeNull();
});
