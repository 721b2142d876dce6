import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setMyTimeZone } from '../src/lib/time-zone.ts';
import { ADMIN_USER, CUSTOMER, JOB, MIA, SAM } from './fixtures.ts';
import { EDIT_JOB_PATH, fakeToday, fillJobForm, isChecked, openJobForm } from './open-job-form.ts';
import { getToasts, getValue, pressButton, typeInto } from './open-page.tsx';

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
const CLASH_WARNING = 'Sam Leota is already booked for Stock take, 9:00 – 11:00 AM (1 h overlap). You can book it anyway.';

it('warns about a booking clash in the new job form but still saves the job', async () => {
  const clashesCall = `GET /calendar/clashes?staff_id=${SAM.id}&starts_at=2026-04-05T20%3A00%3A00.000Z&duration=2`;
  const { server } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, { [clashesCall]: () => ({ clashes: [CLASH] }) });
  await screen.findByRole('button', { name: 'Create Job' });
  await fillJobForm();
  expect(screen.queryByText(CLASH_WARNING)).toBeNull();
  typeInto('Duration', '2');
  await screen.findByText(CLASH_WARNING);
  await pressButton('Create Job');
  await waitFor(() => expect(server.created).toHaveLength(1));
});

it('never lists the edited job as its own clash and hides clashes once the job is complete', async () => {
  const clashesCall = `GET /calendar/clashes?staff_id=${SAM.id}&starts_at=2026-04-05T20%3A00%3A00.000Z&duration=2&except_id=${JOB.id}`;
  openJobForm(EDIT_JOB_PATH, { [clashesCall]: () => ({ clashes: [CLASH] }) });
  await screen.findByText(CLASH_WARNING);
  await act(async () => screen.getByLabelText('Complete').click());
  await waitFor(() => expect(screen.queryByText(CLASH_WARNING)).toBeNull());
});

const CLASH_TOAST = 'Sam Leota is already booked for Stock take, 9:00 – 11:00 AM (1 h overlap).';

it('reports after saving that a colleague created a clash while the new job form was open', async () => {
  let isBooked = false;
  const { server } = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, {
    'GET /calendar/clashes?*': () => ({ clashes: isBooked ? [CLASH] : [] }),
  });
  await screen.findByRole('button', { name: 'Create Job' });
  await fillJobForm();
  isBooked = true;
  await pressButton('Create Job');
  await waitFor(() => expect(getToasts()).toContain(CLASH_TOAST));
  expect(server.created).toHaveLength(1);
});

it.each([
  ['Assigned staff', MIA.id, { staff_id: MIA.id }, [CLASH_TOAST]],
  ['Title', 'Roof', { title: 'Roof' }, []],
] as const)('rechecks clashes after saving only if the booking changed: %s', async (label, value, change, said) => {
  let isSaved = false;
  openJobForm(EDIT_JOB_PATH, {
    'GET /calendar/clashes?*': () => ({ clashes: isSaved ? [CLASH] : [] }),
    [`PUT /jobs/${JOB.id}`]: () => {
      isSaved = true;
      return { ...JOB, ...change, version: 2 };
    },
  });
  await screen.findByRole('option', { name: MIA.name });
  typeInto(label, value);
  await pressButton('Save Changes');
  await waitFor(() => expect(getToasts()).toEqual([...said, 'Job updated successfully']));
});

it("shows booking times in the user's time zone and keeps that zone while the form is open", async () => {
  setMyTimeZone('Asia/Tokyo');
  const { server } = openJobForm(EDIT_JOB_PATH);
  await screen.findByText('Times are in Tokyo time');
  expect([getValue('Booking date'), getValue('Booking time')]).toEqual(['2026-04-06', '05:00']);
  // Simulates changing the time zone in another tab.
  act(() => setMyTimeZone('Europe/London'));
  screen.getByText('Times are in Tokyo time');
  typeInto('Booking time', '06:00');
  await pressButton('Save Changes');
  await waitFor(() => expect(server.updated).toMatchObject([{ booking_date: '2026-04-05T21:00:00.000Z' }]));
});

it("shows the booking on the job page in the user's time zone and names that zone", async () => {
  setMyTimeZone('Asia/Tokyo');
  openJobForm(`/jobs/${JOB.id}`);
  await screen.findByText(/5:00 AM – 7:00 AM|5:00 – 7:00 AM/);
  expect(screen.getByText(/Tokyo time/)).toBeTruthy();
});

it('preselects Booked for a free slot of the calendar', async () => {
  openJobForm(`/jobs/new?date=2026-04-08&time=14:30&staff=${SAM.id}`);
  await screen.findByLabelText('Title');
  expect(isChecked('Booked')).toBe(true);
  expect(screen.queryByText(/will be saved as Booked/)).toBeNull();
});

it('keeps a separate job draft for each calendar slot', async () => {
  const { router } = openJobForm(`/jobs/new?date=2026-04-08&time=14:30&staff=${SAM.id}`);
  await screen.findByRole('option', { name: 'Sam Leota' });
  typeInto('Title', 'Roof repair');
  typeInto('Booking time', '15:00');
  // Leaves without the confirmation dialog, like closing the tab.
  await act(() => router.navigate({ to: '/jobs', ignoreBlocker: true }));
  await screen.findByRole('heading', { level: 1, name: 'Jobs' });
  const openFormAt = async (search: object) => {
    await act(() => router.navigate({ to: '/jobs/new', search }));
    await screen.findByRole('option', { name: 'Sam Leota' });
    // Waits longer than the form takes to restore a draft.
    await act(() => new Promise((resolve) => setTimeout(resolve, 300)));
    return [getValue('Title'), getValue('Booking date'), getValue('Booking time'), getValue('Assigned staff')];
  };
  expect(await openFormAt({ date: '2026-04-08', time: '14:30' })).toEqual(['', '2026-04-08', '14:30', '']);
  expect(await openFormAt({ date: '2026-04-09', time: '10:00', staff: MIA.id })).toEqual(['', '2026-04-09', '10:00', MIA.id]);
  expect(await openFormAt({})).toEqual(['', '2026-04-06', '08:00', '']);
  expect((await openFormAt({ date: '2026-04-08', time: '14:30', staff: SAM.id })).slice(0, 3)).toEqual([
    'Roof repair',
    '2026-04-08',
    '15:00',
  ]);
});

const storeDraft = (part: string, title: string) => {
  const draft = { kept_at: Date.now(), fields: [['title', title]] };
  localStorage.setItem(`callout-lasting-draft ${ADMIN_USER.user.id} /jobs/new ${part} slot`, JSON.stringify(draft));
};

it("offers to resume a customer's unsaved job draft and restores it in the form", async () => {
  storeDraft(`${CUSTOMER.id}   `, 'Roof repair');
  const { router } = openJobForm('/jobs/new');
  await screen.findByText('You have an unsaved job: “Roof repair”.');
  expect(getValue('Title')).toBe('');
  await act(async () => fireEvent.click(screen.getByRole('link', { name: 'Continue' })));
  await waitFor(() => expect(getValue('Title')).toBe('Roof repair'));
  expect(router.state.location.search).toEqual({ customer: CUSTOMER.id });
  expect(screen.queryByRole('link', { name: 'Continue' })).toBeNull();
});

it.each([
  [` 2026-04-07 09:30 ${SAM.id}`, `?date=2026-04-07&time=${encodeURIComponent('09:30')}&staff=${SAM.id}`],
  [' 2026-04-07  ', '?date=2026-04-07'],
])('offers to resume the unsaved job draft of a calendar slot: %s', async (part, search) => {
  storeDraft(part, '');
  openJobForm('/jobs/new');
  await screen.findByText('You have an unsaved job.');
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Continue' }).search).toBe(search);
});

it('offers no drafts from other calendar slots when the new job already has a customer', async () => {
  storeDraft(' 2026-04-07  ', 'Roof repair');
  openJobForm(`/jobs/new?customer=${CUSTOMER.id}`);
  await screen.findByLabelText('Title');
  expect(screen.queryByRole('link', { name: 'Continue' })).toBeNull();
});
