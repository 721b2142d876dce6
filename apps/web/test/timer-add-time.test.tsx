import type { Job } from '@callout/contract/jobs';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_USER, JOB, MIA, PROFILE, SAM } from './fixtures.ts';
import { buildHourlyJob, freezeClock, getServerTime } from './mock-timer.ts';
import { failWith, type MockApi, openPage, pressButton, waitForToasts } from './open-page.tsx';

beforeEach(freezeClock);
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

const ADDED_SECONDS = 5400;

async function openJob(job: Job, responses: MockApi = {}) {
  const server: { job: Job; sent: unknown[] } = { job, sent: [] };
  openPage(`/jobs/${JOB.id}`, {
    'GET /me': () => ADMIN_USER,
    'GET /timer': () => ({ timer: null, server_time: getServerTime() }),
    'GET /staff-names': () => ({ rows: [{ ...MIA, id: ADMIN_USER.user.staff_id }, SAM] }),
    [`GET /jobs/${JOB.id}`]: () => server.job,
    'POST /worked-time': (input) => {
      server.sent.push(input);
      server.job = { ...job, timer: { ...job.timer, finished_seconds: ADDED_SECONDS } };
      return server.job;
    },
    ...responses,
  });
  return server;
}

const findPanel = async () => within(await screen.findByRole('region', { name: 'Job Timer' }));

async function openDialog() {
  await findPanel();
  await pressButton('Add time');
  return within(await screen.findByRole('dialog', { name: 'Add Time' }));
}

const getField = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(getField(name), { target: { value } });
const submit = async () => {
  const button = within(screen.getByRole('dialog')).getByRole('button', { name: 'Add Time' });
  await act(async () => fireEvent.click(button));
};

describe('adding time by hand', () => {
  it("suggests the last hour, shows the length and sends instants of the displayed zone's times", async () => {
    const server = await openJob(buildHourlyJob());
    const dialog = await openDialog();
    // The server's clock shows noon in Auckland.
    expect(['Date', 'Start', 'End'].map((name) => getField(name).value)).toEqual(['2031-05-05', '11:00', '12:00']);
    dialog.getByText('1h');
    type('Start', '08:00');
    type('End', '09:30');
    dialog.getByText('1h 30m');
    fireEvent.change(screen.getByLabelText('Person'), { target: { value: SAM.id } });
    await submit();
    await waitForToasts('Time added');
    const [started_at, ended_at] = ['2031-05-04T20:00:00.000Z', '2031-05-04T21:30:00.000Z'];
    expect(server.sent).toEqual([{ id: expect.any(String), job_id: JOB.id, staff_id: SAM.id, started_at, ended_at }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    (await findPanel()).getByText(/^1h 30m unbilled/);
  });

  it('ends on the next day if the end is before the start, and never in the future', async () => {
    const server = await openJob(buildHourlyJob());
    const dialog = await openDialog();
    type('Start', '22:00');
    type('End', '01:00');
    dialog.getByText('3h, ending the next day');
    await submit();
    dialog.getByText('The end must not be in the future');
    type('Date', '');
    await submit();
    dialog.getByText('Please enter a date and both times');
    expect(server.sent).toEqual([]);
    type('Date', '2031-05-03');
    await submit();
    await waitForToasts('Time added');
    expect(server.sent).toMatchObject([{ started_at: '2031-05-03T10:00:00.000Z', ended_at: '2031-05-03T13:00:00.000Z' }]);
  });

  it.each([
    ['start', '2030-09-29', '02:30', '08:00', 'Clocks go forward that night and skip this time. The time starts at 3:30 AM.'],
    ['end', '2030-09-29', '01:00', '02:30', 'Clocks go forward that night and skip this time. The time ends at 3:30 AM.'],
    ['end on the next day', '2030-09-28', '22:00', '02:30', 'Clocks go forward that night and skip this time. The time ends at 3:30 AM.'],
    ['end', '2031-04-06', '01:00', '02:30', 'Clocks go back that night, so 2:30 AM occurs twice. The time ends at the first one.'],
    [
      'end on the next day',
      '2031-04-05',
      '22:00',
      '02:30',
      'Clocks go back that night, so 2:30 AM occurs twice. The time ends at the first one.',
    ],
  ])('says which time is used if clocks change at its %s', async (_name, date, start, end, notice) => {
    await openJob(buildHourlyJob());
    const dialog = await openDialog();
    type('Date', date);
    type('Start', start);
    type('End', end);
    expect(dialog.getAllByText(/^Clocks go/).map(({ textContent }) => textContent)).toEqual([notice]);
  });

  it('shows why time was refused and keeps what was typed', async () => {
    const message = 'This overlaps time on #J26030041 Gutters';
    const sent: { id: string }[] = [];
    await openJob(buildHourlyJob(), {
      'POST /worked-time': (input) => {
        sent.push(input as { id: string });
        return failWith('INVALID_INPUT', 'Please check your input', { fields: { started_at: message } });
      },
    });
    const dialog = await openDialog();
    type('Start', '08:00');
    await submit();
    await dialog.findByText(message);
    expect(getField('Start').value).toBe('08:00');
    await submit();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]?.id).toBe(sent[0]?.id);
    type('Start', '09:00');
    expect(dialog.queryByText(message)).toBeNull();
    await submit();
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[2]?.id).not.toBe(sent[0]?.id);
  });

  it('offers staff only their own time', async () => {
    const server = await openJob(buildHourlyJob(), { 'GET /me': () => ({ ...ADMIN_USER, profile: { ...PROFILE, role: 'staff' } }) });
    await openDialog();
    expect(screen.queryByLabelText('Person')).toBeNull();
    await submit();
    await waitForToasts('Time added');
    expect(server.sent).toMatchObject([{ staff_id: ADMIN_USER.user.staff_id }]);
  });
});

describe('a fixed-price job', () => {
  it('has a timer for the records, without cost and Allocate', async () => {
    await openJob(JOB);
    const panel = await findPanel();
    panel.getByText('For your records; this job has a fixed price');
    panel.getByRole('button', { name: 'Start' });
    panel.getByRole('button', { name: 'Add time' });
    expect(panel.queryByText(/\$/)).toBeNull();
    expect(panel.queryByRole('button', { name: 'Allocate' })).toBeNull();
    screen.getByRole('button', { name: 'Complete Job' });
  });

  it('still accepts time once it is complete', async () => {
    await openJob({ ...JOB, status: 'complete', timer: { ...JOB.timer, finished_seconds: 3600 } });
    const panel = within(await screen.findByRole('region', { name: 'Worked Time: 1h' }));
    panel.getByText('For your records; this job has a fixed price');
    panel.getByRole('button', { name: 'Add time' });
    expect(panel.queryByRole('button', { name: 'Allocate' })).toBeNull();
  });
});

it('an hourly job without any rate says so and links to where it is set', async () => {
  await openJob(buildHourlyJob({ hourly_rate: '0', finished_seconds: 60 }));
  (await findPanel()).getByText('1m unbilled, no hourly rate yet');
  const link = screen.getByRole('link', { name: 'Set rate' });
  expect(link.getAttribute('href')).toBe(`/jobs/${JOB.id}/edit`);
  expect(document.body.textContent).not.toContain('$0.00/hr');
});
