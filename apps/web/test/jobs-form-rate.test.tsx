import type { Job } from '@callout/contract/jobs';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ADMIN_USER, CUSTOMER, JOB, MIA, SAM } from './fixtures.ts';
import { clickByLabel, EDIT_JOB_PATH, fakeToday, fillJobForm, openJobForm } from './open-job-form.ts';
import { pressButton, typeInto } from './open-page.tsx';

fakeToday();

const HOURLY_JOB: Job = { ...JOB, job_type: 'hourly', fixed_amount: null, hourly_rate: '60.00', staff_id: SAM.id };
const STAFF_NAMES = {
  'GET /staff-names': () => ({
    rows: [
      { ...SAM, hourly_rate: '85.00' },
      { ...MIA, hourly_rate: null },
    ],
  }),
};
const RATE_FIELD = /^Hourly rate/;

async function openHourlyForm(hourlyRate: string) {
  const page = openJobForm(`/jobs/new?customer=${CUSTOMER.id}`, STAFF_NAMES);
  await screen.findByLabelText('Title');
  await fillJobForm();
  await clickByLabel('Hourly');
  typeInto(RATE_FIELD, hourlyRate);
  return page;
}

it("says as a rate is typed that the person's rate applies, and lets the user confirm the typed rate", async () => {
  const { server } = await openHourlyForm('60');
  screen.getByText(/Sam Leota's rate of \$85\.00\/hr applies, not \$60\.00\/hr\./);
  await pressButton('Use $60 for this job');
  screen.getByText(/This job uses \$60\.00\/hr instead of Sam Leota's \$85\.00\/hr\./);
  await pressButton('Create Job');
  await expect.poll(() => server.created).toMatchObject([{ hourly_rate: '60', hourly_rate_confirmed: true }]);
});

it('saves an unconfirmed rate as unconfirmed', async () => {
  const { server } = await openHourlyForm('62.5');
  screen.getByRole('button', { name: 'Use $62.50 for this job' });
  await pressButton('Create Job');
  await expect.poll(() => server.created).toMatchObject([{ hourly_rate_confirmed: false }]);
});

it('is silent if both rates are the same, the person has none, or the text is not an amount', async () => {
  await openHourlyForm('85');
  const queryHint = () => screen.queryByText(/applies|instead of|No hourly rate/);
  expect(queryHint()).toBeNull();
  typeInto(RATE_FIELD, 'abc');
  expect(queryHint()).toBeNull();
  typeInto(RATE_FIELD, '60');
  expect(queryHint()).not.toBeNull();
  typeInto('Assigned staff', MIA.id);
  expect(queryHint()).toBeNull();
});

it('says which rate applies without a rate for the job', async () => {
  await openHourlyForm('');
  expect(screen.getByText("Sam Leota's rate of $85.00/hr applies.")).toBeDefined();
  typeInto('Assigned staff', MIA.id);
  expect(screen.getByText('Your default rate of $95.00/hr applies.')).toBeDefined();
});

it('links to the settings if no one has a rate', async () => {
  const { server } = openJobForm(EDIT_JOB_PATH, { 'GET /me': () => ADMIN_USER });
  server.job = { ...HOURLY_JOB, staff_id: MIA.id, hourly_rate: null };
  await screen.findByText(/No hourly rate yet, so time on this job costs nothing\./);
  expect(screen.getByRole('link', { name: 'Set a default rate' }).getAttribute('href')).toBe('/settings');
});

it("returns to the person's rate when the job is edited", async () => {
  const { server } = openJobForm(EDIT_JOB_PATH, STAFF_NAMES);
  server.job = { ...HOURLY_JOB, hourly_rate_confirmed: true };
  await screen.findByText(/This job uses \$60\.00\/hr/);
  await pressButton("Use Sam Leota's rate");
  await pressButton('Save Changes');
  await expect.poll(() => server.updated).toMatchObject([{ hourly_rate: '60.00', hourly_rate_confirmed: false }]);
});
