import type { Role } from '@callout/domain/roles/roles';
import type { TestApp } from '../test-app.ts';
import { buildCustomer, buildJob, buildTask, type NewJobInput, type NewTaskInput } from './inputs.ts';
import { createFirm, type Firm } from './people.ts';
import { readStaffIds } from './staff-ids.ts';

/** Creates a firm with a customer, and returns helpers that assign jobs and tasks to the person with the staff role. */
export async function createCalendarFirm(test: TestApp, name?: string) {
  const firm: Firm = await createFirm(test, name);
  const staffIds: Record<Role, string> = await readStaffIds(test, firm);
  const { client } = firm.people.admin;
  const customer = await client.customers.create(buildCustomer());
  const buildFirmJob = (overrides: Partial<NewJobInput> = {}) =>
    buildJob({ customer_id: customer.id, staff_id: staffIds.staff, ...overrides });
  return {
    ...firm,
    staffIds,
    customer,
    createJob: (overrides: Partial<NewJobInput> = {}) => client.jobs.create(buildFirmJob(overrides)),
    createTask: (overrides: Partial<NewTaskInput> = {}) =>
      client.tasks.create(buildTask({ show_in_calendar: true, staff_id: staffIds.staff, ...overrides })),
    /** Creates a job without a date, duration or assignee, like a job created from an accepted quote. */
    async createUnscheduledJob(overrides: Partial<NewJobInput> = {}) {
      const { id } = await client.jobs.create(buildFirmJob({ staff_id: staffIds.admin, ...overrides }));
      const unschedule = `update jobs set booking_date = null, duration = null, staff_id = null, status = $2 where id = $1`;
      await test.owner.query(unschedule, [id, overrides.status ?? 'pending']);
      return client.jobs.get({ id });
    },
  };
}

export type CalendarFirm = Awaited<ReturnType<typeof createCalendarFirm>>;
