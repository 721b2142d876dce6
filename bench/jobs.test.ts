import { isActiveStatus, JOB_STATUSES } from '@callout/domain/jobs/job';
import { expect, it } from 'vitest';
import { generateCustomers } from './customers.ts';
import { generateJobs } from './jobs.ts';

const customers = generateCustomers(1, 200);

it('generates the same jobs for the same seed and different ones for another seed', () => {
  expect(generateJobs(1, 200, customers)).toEqual(generateJobs(1, 200, customers));
  expect(generateJobs(1, 1, customers)).not.toEqual(generateJobs(2, 1, customers));
});

it('generates jobs with unique ids and numbers', () => {
  const jobs = generateJobs(1, 20_000, customers);
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
  expect(new Set(jobs.map(({ job_number }) => job_number)).size).toBe(jobs.length);
});

it('generates jobs of every status, about a quarter of them open', () => {
  const jobs = generateJobs(1, 2000, customers);
  expect(new Set(jobs.map(({ status }) => status)).size).toBe(JOB_STATUSES.length);
  const open = jobs.filter(({ status }) => isActiveStatus(status)).length;
  expect([open > 450, open < 550]).toEqual([true, true]);
});
